// Cameras and framing.
#include "view/camera.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"

#define PI 3.14159265358979323846

/* Share of the frame's half that fitted points may fill. */
#define FILL 0.96

struct bounds bounds_of_points(const float *points, size_t count) {
	struct bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
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

void bounds_corners(const struct bounds *bounds, float corners[static 24]) {
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < 3; k++) {
			corners[i * 3 + k] =
				(float)((i >> k & 1) != 0 ? bounds->max[k] : bounds->min[k]);
		}
	}
}

bool camera_needs_points(const struct camera_settings *settings) {
	return settings->kind != CAMERA_MATRICES || settings->no_projection;
}

/* The points' extent as seen along the camera's axes from a place. For each side of the frustum
 * the greatest of (distance across + slope * distance towards the viewer): where the sides must be.
 */
struct extent {
	double right, left, top, bottom; // greatest x + z t, -x + z t, y + z s, -y + z s
	double nearest, farthest;        // greatest and least z: towards the viewer is positive
};

static struct extent measure(const struct camera *camera, const double from[static 3],
	const double slopes[static 2], const float *points, size_t count) {
	struct extent e = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, INFINITY};
	for (size_t i = 0; i < count; i++) {
		const double point[3] = {points[i * 3], points[i * 3 + 1], points[i * 3 + 2]};
		double offset[3];
		vec3_sub(point, from, offset);
		const double x = vec3_dot(offset, camera->right);
		const double y = vec3_dot(offset, camera->up);
		const double z = vec3_dot(offset, camera->back);
		e.right = fmax(e.right, x + z * slopes[0]);
		e.left = fmax(e.left, -x + z * slopes[0]);
		e.top = fmax(e.top, y + z * slopes[1]);
		e.bottom = fmax(e.bottom, -y + z * slopes[1]);
		e.nearest = fmax(e.nearest, z);
		e.farthest = fmin(e.farthest, z);
	}
	return e;
}

static void move(double point[static 3], const double axis[static 3], double by) {
	for (int k = 0; k < 3; k++) {
		point[k] += axis[k] * by;
	}
}

/* Axes of a camera that orbits; yaw 0 looks from +Z, pitch lifts it. */
static void orbit_axes(const struct camera_settings *settings, struct camera *camera) {
	const double yaw = settings->yaw_deg * PI / 180, pitch = settings->pitch_deg * PI / 180;
	const double back[3] = {sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
	const double right[3] = {cos(yaw), 0, -sin(yaw)};
	memcpy(camera->back, back, sizeof back);
	memcpy(camera->right, right, sizeof right);
	vec3_cross(back, right, camera->up);
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

/* Where an orbiting camera stands so that the points fill the frame around the target, or, with
 * no target given, wherever they fill it best. Returns how far the target is. */
static void place_orbit(const struct camera_settings *settings, const double target[static 3],
	const double slopes[static 2], const float *points, size_t count, struct camera *camera) {
	memcpy(camera->eye, target, 3 * sizeof *target);
	if (settings->distance > 0) {
		move(camera->eye, camera->back, settings->distance);
		return;
	}
	const double fill[2] = {slopes[0] * FILL, slopes[1] * FILL};
	const struct extent e = measure(camera, target, fill, points, count);
	double distance;
	if (settings->has_target) {
		distance = fmax(fmax(e.right, e.left) / fill[0], fmax(e.top, e.bottom) / fill[1]);
	} else {
		distance = fmax(
			(e.right + e.left) / (2 * fill[0]), (e.top + e.bottom) / (2 * fill[1]));
		move(camera->eye, camera->right, (e.right - e.left) / 2);
		move(camera->eye, camera->up, (e.top - e.bottom) / 2);
	}
	// A lone point, or a flat thing seen edge on, still needs some way to the eye.
	const double least = fmax(e.nearest, 0) + 1e-3 * (fabs(e.nearest - e.farthest) + 1e-3);
	move(camera->eye, camera->back, fmax(distance, least));
}

/* A projection as in OpenGL with near and far around what lies from nearest to farthest, as z in
 * the eye's axes, where what is seen is negative. Column-major. */
static void make_perspective(const double slopes[static 2], double nearest, double farthest,
	double projection[static 16]) {
	const double behind = fmax(-farthest * 1.02, 1e-6);
	const double near = fmax(-nearest * 0.98, behind * 1e-4);
	const double far = fmax(behind, near * 1.001);
	memset(projection, 0, 16 * sizeof *projection);
	projection[0] = 1 / slopes[0];
	projection[5] = 1 / slopes[1];
	projection[10] = -(far + near) / (far - near);
	projection[11] = -1;
	projection[14] = -2 * far * near / (far - near);
}

/* out = a * b, all column-major 4x4. */
static void multiply_columns(
	const double a[static 16], const double b[static 16], double out[static 16]) {
	for (int column = 0; column < 4; column++) {
		for (int row = 0; row < 4; row++) {
			double sum = 0;
			for (int k = 0; k < 4; k++) {
				sum += a[k * 4 + row] * b[column * 4 + k];
			}
			out[column * 4 + row] = sum;
		}
	}
}

/* view_projection from the camera's place and axes, with near and far around the points. */
static void write_matrices(
	const double slopes[static 2], const float *points, size_t count, struct camera *camera) {
	const struct extent e = measure(camera, camera->eye, slopes, points, count);
	const double *axes[3] = {camera->right, camera->up, camera->back};
	double view[16] = {[15] = 1}, projection[16];
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			view[column * 4 + row] = axes[row][column];
		}
		view[12 + row] = -vec3_dot(axes[row], camera->eye);
	}
	make_perspective(slopes, e.nearest, e.farthest, projection);
	multiply_columns(projection, view, camera->view_projection);
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

/* The projection for a view that came without: near and far around the points as the view has them,
 * which may scale or shear. */
static void choose_projection(const struct camera_settings *settings, const double slopes[static 2],
	const float *points, size_t count, double projection[static 16]) {
	const double *view = settings->view;
	double nearest = -INFINITY, farthest = INFINITY;
	for (size_t i = 0; i < count; i++) {
		const float *p = points + i * 3;
		const double z = view[2] * p[0] + view[6] * p[1] + view[10] * p[2] + view[14];
		nearest = fmax(nearest, z);
		farthest = fmin(farthest, z);
	}
	make_perspective(slopes, nearest, farthest, projection);
}

bool camera_make(const struct camera_settings *settings, double aspect, const float *points,
	size_t count, struct camera *out, struct error *err) {
	static const float origin[3] = {0, 0, 0};
	*out = (struct camera){0};
	if (count == 0) {
		points = origin;
		count = 1;
	}
	const double slope = tan(settings->fov_deg * PI / 360);
	const double slopes[2] = {slope * aspect, slope};
	if (settings->kind == CAMERA_MATRICES) {
		double projection[16];
		memcpy(projection, settings->projection, sizeof projection);
		if (settings->no_projection) {
			choose_projection(settings, slopes, points, count, projection);
		}
		multiply_columns(projection, settings->view, out->view_projection);
		return from_view(settings, out, err);
	}
	double target[3];
	memcpy(target, settings->target, sizeof target);
	if (!settings->has_target) {
		const struct bounds bounds = bounds_of_points(points, count);
		for (int k = 0; k < 3; k++) {
			target[k] = (bounds.min[k] + bounds.max[k]) / 2;
		}
	}
	if (settings->kind == CAMERA_LOOK) {
		if (!look_axes(settings, target, out, err)) {
			return false;
		}
		memcpy(out->eye, settings->eye, sizeof out->eye);
	} else {
		orbit_axes(settings, out);
		place_orbit(settings, target, slopes, points, count, out);
	}
	write_matrices(slopes, points, count, out);
	return true;
}

static void add_direction(struct camera_extremes *extremes, const double direction[static 3]) {
	memcpy(extremes->directions[extremes->direction_count++], direction, 3 * sizeof *direction);
}

/* Both ways along an axis, each with so much of another. */
static void add_both(struct camera_extremes *extremes, const double axis[static 3],
	const double other[static 3], double slope) {
	for (int sign = -1; sign <= 1; sign += 2) {
		double direction[3];
		for (int k = 0; k < 3; k++) {
			direction[k] = sign * axis[k] + slope * other[k];
		}
		add_direction(extremes, direction);
	}
}

/* What measure() and choose_projection() find the greatest and least of. */
static void add_view_directions(const struct camera_settings *settings, double aspect,
	const struct camera *probe, struct camera_extremes *extremes) {
	const double slope = tan(settings->fov_deg * PI / 360);
	const double depth[3] = {settings->view[2], settings->view[6], settings->view[10]};
	switch (settings->kind) {
	case CAMERA_ORBIT:
		add_both(extremes, probe->right, probe->back, slope * aspect * FILL);
		add_both(extremes, probe->up, probe->back, slope * FILL);
		add_both(extremes, probe->back, probe->back, 0);
		break;
	case CAMERA_LOOK:
		add_both(extremes, probe->back, probe->back, 0);
		break;
	case CAMERA_MATRICES:
		add_both(extremes, depth, depth, 0);
		break;
	}
}

void camera_extremes_begin(
	const struct camera_settings *settings, double aspect, struct camera_extremes *extremes) {
	static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	*extremes = (struct camera_extremes){0};
	for (int k = 0; k < 3; k++) {
		add_both(extremes, axes[k], axes[k], 0);
	}
	struct camera probe;
	struct error ignored = {0};
	extremes->boxed = settings->kind == CAMERA_LOOK && !settings->has_target;
	// What is wrong with the settings camera_make() finds in the end.
	if (!extremes->boxed && camera_make(settings, aspect, NULL, 0, &probe, &ignored)) {
		add_view_directions(settings, aspect, &probe, extremes);
	}
	for (size_t i = 0; i < extremes->direction_count; i++) {
		extremes->reach[i] = -INFINITY;
	}
}

static void add_to(
	struct camera_extremes *extremes, size_t direction, const float *points, size_t count) {
	const double *d = extremes->directions[direction];
	size_t found = count;
	for (size_t i = 0; i < count; i++) {
		const float *p = points + i * 3;
		const double reach = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
		if (reach > extremes->reach[direction]) {
			extremes->reach[direction] = reach;
			found = i;
		}
	}
	if (found < count) {
		memcpy(extremes->points[direction], points + found * 3, 3 * sizeof *points);
	}
}

void camera_extremes_add(struct camera_extremes *extremes, const float *points, size_t count) {
	if (count == 0) {
		return;
	}
	const struct bounds box = bounds_of_points(points, count);
	for (size_t i = 0; i < extremes->direction_count; i++) {
		const double *d = extremes->directions[i];
		double most = 0;
		for (int k = 0; k < 3; k++) {
			most += fmax(d[k] * box.min[k], d[k] * box.max[k]);
		}
		// Most things stand among others.
		if (most > extremes->reach[i]) {
			add_to(extremes, i, points, count);
		}
	}
	extremes->count = extremes->direction_count;
}

void camera_extremes_end(struct camera_extremes *extremes) {
	if (extremes->boxed && extremes->count > 0) {
		const struct bounds box =
			bounds_of_points(extremes->points[0], extremes->direction_count);
		float corners[24];
		bounds_corners(&box, corners);
		memcpy(extremes->points[extremes->direction_count], corners, sizeof corners);
		extremes->count = extremes->direction_count + 8;
	}
}
