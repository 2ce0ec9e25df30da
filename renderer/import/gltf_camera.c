// glTF's cameras -> the rig's. One that shows nothing costs only itself. Source: glTF 2.0, 3.10.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_document.h"

static bool read_perspective(
	const struct gltf_item *object, struct file_camera *camera, struct error *err) {
	if (!gltf_number(object, "yfov", &camera->yfov_rad, err) ||
		!gltf_number(object, "aspectRatio", &camera->aspect, err) ||
		!gltf_number(object, "znear", &camera->near, err) ||
		!gltf_number(object, "zfar", &camera->far, err)) {
		return false;
	}
	const bool sound = camera->yfov_rad > 0 && (double)camera->yfov_rad < M_PI &&
		camera->aspect >= 0 && camera->near > 0 &&
		(camera->far == 0 || camera->far > camera->near);
	return sound ||
		gltf_broken(object, err,
			"yfov %g, aspectRatio %g, znear %g and zfar %g show nothing",
			(double)camera->yfov_rad, (double)camera->aspect, (double)camera->near,
			(double)camera->far);
}

static bool read_orthographic(
	const struct gltf_item *object, struct file_camera *camera, struct error *err) {
	camera->orthographic = true;
	if (!gltf_number(object, "xmag", &camera->xmag, err) ||
		!gltf_number(object, "ymag", &camera->ymag, err) ||
		!gltf_number(object, "znear", &camera->near, err) ||
		!gltf_number(object, "zfar", &camera->far, err)) {
		return false;
	}
	return (camera->xmag > 0 && camera->ymag > 0 && camera->near >= 0 &&
		       camera->far > camera->near) ||
		gltf_broken(object, err, "xmag %g, ymag %g, znear %g and zfar %g show nothing",
			(double)camera->xmag, (double)camera->ymag, (double)camera->near,
			(double)camera->far);
}

/* One of the file's list; the name is borrowed. */
static bool read_camera(
	const struct gltf_item *object, struct file_camera *camera, struct error *err) {
	static const char *const names[] = {"perspective", "orthographic", NULL};
	const char *name = "";
	struct gltf_item lens;
	int kind = -1;
	*camera = (struct file_camera){0};
	if (!gltf_string(object, "name", &name, err) ||
		!gltf_choice(object, "type", names, &kind, err)) {
		return false;
	}
	if (kind < 0) {
		return gltf_broken(object, err, "has no type");
	}
	camera->name = (char *)name;
	return gltf_object(object, names[kind], &lens, err) &&
		(kind == 0 ? read_perspective(&lens, camera, err)
			   : read_orthographic(&lens, camera, err));
}

static bool place_cameras(struct gltf *gltf, const struct gltf_item *list, struct error *err) {
	struct rig *rig = gltf->rig;
	for (int joint = 0; joint < rig->joint_count; joint++) {
		const struct gltf_node *node = &gltf->nodes[rig->joints[joint].index];
		struct gltf_item object;
		struct error why = {0};
		struct file_camera camera;
		int index = -1;
		if (!gltf_index(&node->item, "camera", (int)gltf_list_size(list), &index, err)) {
			return false;
		}
		if (index < 0 || !node->in_scene) {
			continue;
		}
		if (!gltf_element_object(list, (size_t)index, &object, &why) ||
			!read_camera(&object, &camera, &why)) {
			rig_warn(rig, "%s; left out", why.text);
			continue;
		}
		camera.index = index;
		camera.joint = joint;
		camera.name = xstrndup(camera.name, strlen(camera.name));
		rig->cameras[rig->camera_count++] = camera;
	}
	return true;
}

bool gltf_read_cameras(struct gltf *gltf, struct error *err) {
	struct gltf_item list;
	int count;
	if (!gltf_document_list(gltf, "cameras", &list, &count, err)) {
		return false;
	}
	struct rig *rig = gltf->rig;
	const size_t most = count > 0 ? (size_t)rig->joint_count : 0;
	rig->cameras = gltf_storage(gltf, most, sizeof *rig->cameras, "cameras", err);
	return rig->cameras && place_cameras(gltf, &list, err);
}
