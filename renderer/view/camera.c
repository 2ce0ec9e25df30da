// Cameras and framing.
#include "view/camera.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "view/extent.h"
#include "view/projection.h"

#define PI 3.14159265358979323846

/* Share of what lies between the nearest and the farthest point that the planes stand off. */
#define ROOM 0.02

struct bounds bounds_of_points(const float *points, size_t count) {
	struct bounds bounds = BOUNDS_NONE;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			const double at = points[i * 3 + k];
			bounds.min[k] = at < bounds.min[k] ? at : bounds.min[k];
			bounds.max[k] = at > bounds.max[k] ? at : bounds.max[k];
		}
	}
	return bounds;
}

void bounds_add(struct bounds *a, const struct bounds *b) {
	for (int k = 0; k < 3; k++) {
		a->min[k] = b->min[k] < a->min[k] ? b->min[k] : a->min[k];
		a->max[k] = b->max[k] > a->max[k] ? b->max[k] : a->max[k];
	}
}

void bounds_add_beyond(struct bounds *a, const struct bounds *b, double share) {
	double sides[3];
	vec3_sub(a->max, a->min, sides);
	const double slack = a->min[0] <= a->max[0] ? share * vec3_length(sides) : 0;
	for (int k = 0; k < 3; k++) {
		a->min[k] = b->min[k] < a->min[k] - slack ? b->min[k] : a->min[k];
		a->max[k] = b->max[k] > a->max[k] + slack ? b->max[k] : a->max[k];
	}
}

void bounds_corners(const struct bounds *bounds, float corners[static 24]) {
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < 3; k++) {
			corners[i * 3 + k] =
				(float)((i >> k & 1) != 0 ? bounds->max[k] : bounds->min[k]);
		}
	}
}

double camera_fill(const struct camera_settings *settings) {
	return 1 - 2 * (CAMERA_MARGIN + settings->margin_change);
}

double camera_slope(const struct camera_settings *settings) {
	return settings->orthographic ? 0 : tan(settings->fov_deg * PI / 360);
}

bool camera_needs_points(const struct camera_settings *settings) {
	return settings->kind != CAMERA_NODE &&
		(settings->kind != CAMERA_MATRICES || settings->no_projection);
}

/* Half of the visible extent, across and up. */
struct lens {
	double slopes[2]; // at distance 1; 0 where lines of sight are parallel
	double half[2];   // 0 where they are not
};

static void move(double point[static 3], const double axis[static 3], double by) {
	for (int k = 0; k < 3; k++) {
		point[k] += axis[k] * by;
	}
}

void camera_orbit_axes(const struct camera_settings *settings, struct camera *camera) {
	const double yaw = settings->yaw_deg * PI / 180, pitch = settings->pitch_deg * PI / 180;
	const double back[3] = {sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
	const double right[3] = {cos(yaw), 0, -sin(yaw)};
	memcpy(camera->back, back, sizeof back);
	memcpy(camera->right, right, sizeof right);
	vec3_cross(back, right, camera->up);
}

void camera_face(const struct rig *rig, struct camera_settings *settings) {
	if (settings->from_front && rig->avatar && rig->avatar->is_0x) {
		settings->yaw_deg += 180;
	}
	settings->from_front = false;
}

/* Axes of a camera at an eye that looks at a target. */
static bool look_axes(const struct camera_settings *settings, const double target[static 3],
	struct camera *camera, struct error *err) {
	vec3_sub(settings->eye, target, camera->back);
	if (!vec3_normalize(camera->back)) {
		return error_at(err, ERROR_INVALID_VALUE, "/camera/eye",
			"the camera's eye and target are in one place");
	}
	vec3_cross(settings->up, camera->back, camera->right);
	if (!(vec3_length(camera->right) > 1e-9 * vec3_length(settings->up))) {
		return error_at(err, ERROR_INVALID_VALUE, "/camera/up",
			"the camera's up is zero or points along its view");
	}
	vec3_normalize(camera->right);
	vec3_cross(camera->back, camera->right, camera->up);
	return true;
}

/* The position of an orbiting camera whose frame the points fill, around the target or, without a
 * target, at the best centre. */
static void place_orbit(const struct camera_settings *settings, const double target[static 3],
	const double slopes[static 2], const float *points, size_t count, struct camera *camera) {
	memcpy(camera->eye, target, 3 * sizeof *target);
	if (settings->distance > 0) {
		move(camera->eye, camera->back, settings->distance);
		return;
	}
	const double share = camera_fill(settings);
	const double fill[2] = {slopes[0] * share, slopes[1] * share};
	struct extent e = extent_none();
	extent_add(&e, camera, target, fill, points, count);
	if (!settings->has_target) {
		move(camera->eye, camera->right, (e.right - e.left) / 2);
		move(camera->eye, camera->up, (e.top - e.bottom) / 2);
	}
	move(camera->eye, camera->back, extent_distance(&e, fill, settings->has_target));
}

/* The position and extent of an orthographic camera. The axes are set, and the eye if it has
 * one. */
static void place_parallel(const struct camera_settings *settings, const double target[static 3],
	double aspect, const float *points, size_t count, struct camera *camera,
	double half[static 2]) {
	static const double slopes[2] = {0, 0};
	const bool orbits = settings->kind == CAMERA_ORBIT;
	const bool aimed = !orbits || settings->has_target;
	if (orbits) {
		memcpy(camera->eye, target, 3 * sizeof *target);
	}
	struct extent e = extent_none();
	extent_add(&e, camera, camera->eye, slopes, points, count);
	half[1] = settings->view_height > 0
		? settings->view_height / 2
		: extent_half_height(&e, aspect, camera_fill(settings), aimed);
	half[0] = half[1] * aspect;
	if (!aimed) {
		move(camera->eye, camera->right, (e.right - e.left) / 2);
		move(camera->eye, camera->up, (e.top - e.bottom) / 2);
	}
	if (orbits) {
		move(camera->eye, camera->back, fmax(e.nearest, 0) + 2 * half[1]);
	}
}

static void write_view(struct camera *camera) {
	const double *axes[3] = {camera->right, camera->up, camera->back};
	camera->view[15] = 1;
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			camera->view[column * 4 + row] = axes[row][column];
		}
		camera->view[12 + row] = -vec3_dot(axes[row], camera->eye);
	}
}

/* Near and far around what lies from nearest to farthest. */
static void put_planes(struct camera *camera) {
	const double nearest = camera->nearest, farthest = camera->farthest;
	if (camera->is_given) {
		projection_depth(camera->projection, &camera->near, &camera->far);
	} else if (camera->orthographic) {
		const double reach = fmax(fabs(nearest) + fabs(farthest), 1);
		const double room = ROOM * (farthest - nearest) + 1e-6 * reach;
		camera->near = nearest - room;
		camera->far = farthest + room;
		projection_set_depth(camera->projection, camera->near, camera->far);
	} else {
		const double behind = fmax(farthest * (1 + ROOM), 1e-6);
		camera->near = fmax(nearest * (1 - ROOM), behind * 1e-4);
		camera->far = fmax(behind, camera->near * 1.001);
		projection_set_depth(camera->projection, camera->near, camera->far);
	}
	projection_multiply(camera->projection, camera->view, camera->view_projection);
}

void camera_hold(struct camera *camera, const float *points, size_t count) {
	const double *view = camera->view;
	double nearest = camera->nearest, farthest = camera->farthest;
	for (size_t i = 0; i < count; i++) {
		const float *p = points + i * 3;
		const double z = view[2] * p[0] + view[6] * p[1] + view[10] * p[2] + view[14];
		// No calls of fmin() and fmax(), which take longer than all the rest.
		nearest = -z < nearest ? -z : nearest;
		farthest = -z > farthest ? -z : farthest;
	}
	camera->nearest = nearest;
	camera->farthest = farthest;
	put_planes(camera);
}

/* The projection, for the points as the view has them. */
static void finish(
	const struct lens *lens, const float *points, size_t count, struct camera *camera) {
	// The planes come with the points.
	if (camera->orthographic && !camera->is_given) {
		projection_orthographic(lens->half, -1, 1, camera->projection);
	} else if (!camera->is_given) {
		projection_perspective(lens->slopes, 1, 2, camera->projection);
	}
	camera->nearest = INFINITY;
	camera->farthest = -INFINITY;
	camera_hold(camera, points, count);
}

/* Place and axes of the camera that a view matrix stands for. */
static bool from_view(
	const struct camera_settings *settings, struct camera *out, struct error *err) {
	double rows[12], inverse[12];
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 4; column++) {
			rows[row * 4 + column] = settings->view[column * 4 + row];
		}
	}
	if (!mat_invert(rows, inverse)) {
		return error_at(
			err, ERROR_INVALID_VALUE, "/camera/view", "the view matrix is singular");
	}
	memcpy(out->view, settings->view, sizeof out->view);
	double *axes[3] = {out->right, out->up, out->back};
	for (int row = 0; row < 3; row++) {
		out->eye[row] = inverse[row * 4 + 3];
		for (int axis = 0; axis < 3; axis++) {
			axes[axis][row] = inverse[row * 4 + axis];
		}
	}
	for (int axis = 0; axis < 3; axis++) {
		vec3_normalize(axes[axis]);
	}
	return true;
}

/* The projection that was given, which must go with the view. */
static bool check_projection(const struct camera *camera, struct error *err) {
	if (!projection_is_invertible(camera->projection)) {
		return error_at(err, ERROR_INVALID_VALUE, "/camera/projection",
			"the projection matrix is singular");
	}
	for (int i = 0; i < 16; i++) {
		if (!(fabs(camera->view_projection[i]) <= FLT_MAX)) {
			return error_at(err, ERROR_INVALID_VALUE, "/camera/projection",
				"the projection matrix times the view matrix has %g, must be at "
				"most %g",
				camera->view_projection[i], (double)FLT_MAX);
		}
	}
	return true;
}

/* The camera's place, axes and lens, where they are not given as matrices. */
static bool place(const struct camera_settings *settings, double aspect, const float *points,
	size_t count, struct lens *lens, struct camera *out, struct error *err) {
	double target[3];
	memcpy(target, settings->target, sizeof target);
	if (!settings->has_target) {
		const struct bounds bounds = bounds_of_points(points, count);
		for (int k = 0; k < 3; k++) {
			target[k] = (bounds.min[k] + bounds.max[k]) / 2;
		}
	}
	if (settings->kind == CAMERA_ORBIT) {
		camera_orbit_axes(settings, out);
	} else if (!look_axes(settings, target, out, err)) {
		return false;
	} else {
		memcpy(out->eye, settings->eye, sizeof out->eye);
	}
	if (settings->orthographic) {
		place_parallel(settings, target, aspect, points, count, out, lens->half);
	} else if (settings->kind == CAMERA_ORBIT) {
		place_orbit(settings, target, lens->slopes, points, count, out);
	}
	write_view(out);
	return true;
}

bool camera_make(const struct camera_settings *settings, double aspect, const float *points,
	size_t count, struct camera *out, struct error *err) {
	static const float origin[3] = {0, 0, 0};
	const double slope = camera_slope(settings);
	struct lens lens = {.slopes = {slope * aspect, slope}};
	const bool matrices = settings->kind == CAMERA_MATRICES;
	*out = (struct camera){.is_given = matrices && !settings->no_projection};
	if (count == 0) {
		points = origin;
		count = 1;
	}
	if (out->is_given) {
		memcpy(out->projection, settings->projection, sizeof out->projection);
	}
	if (!(matrices ? from_view(settings, out, err)
		       : place(settings, aspect, points, count, &lens, out, err))) {
		return false;
	}
	out->orthographic = out->is_given ? projection_is_orthographic(out->projection)
					  : settings->orthographic;
	finish(&lens, points, count, out);
	return !out->is_given || check_projection(out, err);
}
