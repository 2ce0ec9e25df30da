// Cameras of the file, for the pictures that are asked for.
#include "view/camera.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "view/projection.h"

static const struct file_camera *by_joint(const struct rig *rig, int joint) {
	for (int i = 0; joint >= 0 && i < rig->camera_count; i++) {
		if (rig->cameras[i].joint == joint) {
			return &rig->cameras[i];
		}
	}
	return NULL;
}

static const struct file_camera *by_name(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->camera_count; i++) {
		if (strcmp(rig->joints[rig->cameras[i].joint].name, name) == 0) {
			return &rig->cameras[i];
		}
	}
	for (int i = 0; i < rig->camera_count; i++) {
		if (rig->cameras[i].name && strcmp(rig->cameras[i].name, name) == 0) {
			return &rig->cameras[i];
		}
	}
	return NULL;
}

static const struct file_camera *by_number(const struct rig *rig, double number) {
	const bool whole = number >= 0 && number <= INT32_MAX && number == floor(number);
	return whole ? by_joint(rig, rig_find_joint_by_index(rig, (int)number)) : NULL;
}

static void refuse(const struct rig *rig, const struct value *value, struct error *err) {
	char requested[160], names[320] = "";
	size_t used = 0;
	if (value->kind == VALUE_STRING) {
		utf8_quote(value->string, requested, sizeof requested);
	} else {
		snprintf(requested, sizeof requested, "of index %.15g", value->number);
	}
	for (int i = 0; i < rig->camera_count && used + 1 < sizeof names; i++) {
		char name[160];
		utf8_quote(rig->joints[rig->cameras[i].joint].name, name, sizeof name);
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", name);
	}
	value_error(value, err, ERROR_INVALID_VALUE, "no node %s with a camera; the rig has %s",
		requested, rig->camera_count > 0 ? names : "no cameras");
}

const struct file_camera *file_camera_find(
	const struct rig *rig, const struct value *value, struct error *err) {
	const struct file_camera *found = NULL;
	if (value->kind == VALUE_STRING) {
		const int index = number_read_index(value->string);
		found = by_name(rig, value->string);
		found = found || index < 0 ? found : by_number(rig, index);
	} else {
		found = by_number(rig, value->number);
	}
	if (!found) {
		refuse(rig, value, err);
	}
	return found;
}

/* Axes without scale, at right angles: back as it is, up as far as it can stay. */
static bool read_axes(const double world[static 12], double axes[static 3][3]) {
	double up[3];
	for (int k = 0; k < 3; k++) {
		up[k] = world[k * 4 + 1];
		axes[2][k] = world[k * 4 + 2];
	}
	if (!vec3_normalize(axes[2])) {
		return false;
	}
	vec3_cross(up, axes[2], axes[0]);
	if (!vec3_normalize(axes[0])) {
		return false;
	}
	vec3_cross(axes[2], axes[0], axes[1]);
	return true;
}

static void write_view(const double world[static 12], double axes[static 3][3], double *view) {
	const double eye[3] = {world[3], world[7], world[11]};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			view[column * 4 + row] = axes[row][column];
		}
		view[12 + row] = -vec3_dot(axes[row], eye);
	}
	view[15] = 1;
}

/* The factor of the visible height over the camera's own, so that a narrow picture does not cut off
 * its width. */
static double heights_seen(const struct file_camera *camera, double aspect) {
	const double own = camera->orthographic ? (double)camera->xmag / (double)camera->ymag
						: (double)camera->aspect;
	return fmax(own / aspect, 1);
}

static void write_projection(const struct file_camera *camera, double aspect, double *projection) {
	const double far = camera->far > 0 ? (double)camera->far : INFINITY;
	const double heights = heights_seen(camera, aspect);
	if (camera->orthographic) {
		const double half = (double)camera->ymag * heights;
		const double halves[2] = {half * aspect, half};
		projection_orthographic(halves, (double)camera->near, far, projection);
	} else {
		const double slope = tan((double)camera->yfov_rad / 2) * heights;
		const double slopes[2] = {slope * aspect, slope};
		projection_perspective(slopes, (double)camera->near, far, projection);
	}
}

bool file_camera_settings(const struct file_camera *camera, const double world[static 12],
	double aspect, const struct value *place, struct camera_settings *out, struct error *err) {
	double axes[3][3];
	if (!read_axes(world, axes)) {
		return value_error(place, err, ERROR_INVALID_VALUE,
			"the camera's node is scaled to nothing in this pose");
	}
	*out = (struct camera_settings){.kind = CAMERA_MATRICES};
	write_view(world, axes, out->view);
	write_projection(camera, aspect, out->projection);
	return true;
}
