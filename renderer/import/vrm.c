// The avatar of a glTF document: its parts in their order, and reading their members.
#include "import/vrm.h"

#include <string.h>

#include "model/avatar_check.h"
#include "model/avatar_face.h"
#include "model/head_triangles.h"

static bool is_null(const struct gltf_item *item) {
	return !item->json || item->json->kind == JSON_KIND_NULL;
}

static bool keep_unless_null(struct gltf_item *member, bool ok) {
	if (is_null(member)) {
		member->json = NULL;
		return true;
	}
	return ok;
}

/* A null member is never asked for by its type. */
static bool is_absent(const struct gltf_item *object, const char *name) {
	const struct gltf_item member = gltf_member(object, name);
	return is_null(&member);
}

bool vrm_object(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err) {
	*member = gltf_member(object, name);
	return keep_unless_null(member, is_null(member) || gltf_object(object, name, member, err));
}

bool vrm_list(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err) {
	*member = gltf_member(object, name);
	return keep_unless_null(member, is_null(member) || gltf_list(object, name, member, err));
}

bool vrm_string(
	const struct gltf_item *object, const char *name, const char **value, struct error *err) {
	return is_absent(object, name) || gltf_string(object, name, value, err);
}

bool vrm_number(
	const struct gltf_item *object, const char *name, double *number, struct error *err) {
	float checked = 0;
	if (is_absent(object, name)) {
		return true;
	}
	if (!gltf_number(object, name, &checked, err)) {
		return false;
	}
	*number = gltf_member(object, name).json->of.number;
	return true;
}

bool vrm_vector(const struct gltf_item *object, const char *name, double vector[static 3],
	struct error *err) {
	float checked[3];
	if (is_absent(object, name)) {
		return true;
	}
	if (!gltf_numbers(object, name, 3, checked, err)) {
		return false;
	}
	const struct gltf_item list = gltf_member(object, name);
	for (size_t i = 0; i < 3; i++) {
		vector[i] = list.json->of.elements[i].of.number;
	}
	return true;
}

bool vrm_xyz(const struct gltf_item *object, const char *name, double vector[static 3],
	struct error *err) {
	struct gltf_item member;
	return vrm_object(object, name, &member, err) &&
		(!member.json ||
			(vrm_number(&member, "x", &vector[0], err) &&
				vrm_number(&member, "y", &vector[1], err) &&
				vrm_number(&member, "z", &vector[2], err)));
}

bool vrm_index(const struct gltf_item *object, const char *name, int count, int *index,
	struct error *err) {
	const struct gltf_item member = gltf_member(object, name);
	if (is_null(&member) ||
		(member.json->kind == JSON_KIND_NUMBER && member.json->of.number < 0)) {
		return true;
	}
	return gltf_index(object, name, count, index, err);
}

bool vrm_joint(const struct vrm *vrm, const struct gltf_item *object, const char *name, int *joint,
	struct error *err) {
	int node = -1;
	if (!vrm_index(object, name, vrm->gltf->node_count, &node, err)) {
		return false;
	}
	*joint = node >= 0 ? vrm->gltf->nodes[node].joint : *joint;
	return true;
}

void *vrm_storage(struct vrm *vrm, size_t count, size_t size, struct error *err) {
	return gltf_storage(vrm->gltf, count, size, "the avatar", err);
}

const char *vrm_text(struct vrm *vrm, const char *text, struct error *err) {
	char *copy = vrm_storage(vrm, strlen(text) + 1, 1, err);
	return copy ? strcpy(copy, text) : NULL;
}

/* Each part uses what those before it have read. */
static bool (*const parts[])(struct vrm *vrm, struct error *err) = {
	vrm_read_bones,
	vrm_read_expressions,
	vrm_read_look_at,
	vrm_read_views,
	vrm_read_constraints,
	vrm_read_springs,
	vrm_read_meta,
};

static bool (*const parts_of_0x[])(struct vrm *vrm, struct error *err) = {
	vrm0_read_bones,
	vrm0_read_expressions,
	vrm0_read_look_at,
	vrm0_read_views,
	vrm0_read_springs,
	vrm_read_meta,
};

/* Lists the joints of each mesh. */
static void find_mesh_joints(struct vrm *vrm) {
	const struct gltf *gltf = vrm->gltf;
	const size_t meshes = (size_t)gltf->mesh_count;
	vrm->first_joint = arena_alloc(gltf->arena, meshes + 2, sizeof(int));
	vrm->mesh_joints = arena_alloc(gltf->arena, (size_t)gltf->node_count + 1, sizeof(int));
	for (int i = 0; i < gltf->node_count; i++) {
		vrm->first_joint[gltf->nodes[i].mesh + 2] += gltf->nodes[i].mesh >= 0;
	}
	for (size_t i = 0; i < meshes; i++) {
		vrm->first_joint[i + 2] += vrm->first_joint[i + 1];
	}
	// Each list is filled from its start, which then is the start of the next.
	for (int i = 0; i < gltf->node_count; i++) {
		const struct gltf_node *node = &gltf->nodes[i];
		if (node->mesh >= 0) {
			vrm->mesh_joints[vrm->first_joint[node->mesh + 1]++] = node->joint;
		}
	}
}

static bool is_known_version(const char *version, bool is_0x) {
	return is_0x || strcmp(version, "1.0") == 0 || strcmp(version, "1.0-beta") == 0;
}

static bool read_version(struct vrm *vrm, struct error *err) {
	const char *version = vrm->avatar->is_0x ? "0.0" : "";
	if (!vrm_string(&vrm->extension, "specVersion", &version, err)) {
		return false;
	}
	if (!is_known_version(version, vrm->avatar->is_0x)) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(version, quoted, sizeof quoted);
		return gltf_broken(&vrm->extension, err, "specVersion is %s, must be 1.0", quoted);
	}
	vrm->avatar->version = vrm_text(vrm, version, err);
	return vrm->avatar->version;
}

static bool read_parts(struct vrm *vrm, struct error *err) {
	const bool is_0x = vrm->avatar->is_0x;
	const size_t count =
		is_0x ? sizeof parts_of_0x / sizeof parts_of_0x[0] : sizeof parts / sizeof parts[0];
	if (!read_version(vrm, err)) {
		return false;
	}
	if (is_0x) {
		find_mesh_joints(vrm);
	}
	for (size_t i = 0; i < count; i++) {
		if (!(is_0x ? parts_of_0x : parts)[i](vrm, err)) {
			return false;
		}
	}
	return true;
}

/* The extension of the later version, where a document has both. */
static bool find_extension(struct vrm *vrm, bool *is_0x, struct error *err) {
	if (!vrm_object(&vrm->gltf->root, "extensions", &vrm->extensions, err) ||
		!vrm_object(&vrm->extensions, "VRMC_vrm", &vrm->extension, err)) {
		return false;
	}
	*is_0x = !vrm->extension.json;
	return !*is_0x || vrm_object(&vrm->extensions, "VRM", &vrm->extension, err);
}

bool gltf_read_avatar(struct gltf *gltf, struct error *err) {
	struct vrm vrm = {.gltf = gltf};
	struct error why = {0};
	bool is_0x = false;
	bool ok = find_extension(&vrm, &is_0x, &why);
	if (ok && !vrm.extension.json) {
		return true;
	}
	vrm.avatar = vrm_storage(&vrm, 1, sizeof *vrm.avatar, err);
	if (!vrm.avatar) {
		return false;
	}
	vrm.avatar->is_0x = is_0x;
	vrm.avatar->thumbnail = -1;
	gltf->thumbnail = -1;
	ok = ok && read_parts(&vrm, &why);
	gltf->rig->avatar = ok ? vrm.avatar : NULL;
	// Whatever the parts have missed must not cost the file.
	if (ok && !avatar_check(gltf->rig, &why)) {
		gltf->rig->avatar = NULL;
		ok = false;
	}
	gltf->avatar = ok ? vrm.avatar : NULL;
	if (ok && (!head_triangles_sort(gltf->rig, err) || !rig_add_face(gltf->rig, err))) {
		return false;
	}
	if (ok && rig_face_joint(gltf->rig) < 0) {
		rig_warn(gltf->rig,
			"the avatar's head is itself a mesh that morphs: pictures do not show the "
			"colours of expressions, and VRM animations do not move the face");
	}
	if (!ok) {
		rig_warn_besides(gltf->rig, "%s; imported without its VRM avatar", why.text);
	}
	return true;
}
