// The extent of points in a picture.
#include "view/extent.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* Share of its depth that a thing stands off at least, or is seen high: a lone point, or a flat
 * thing seen edge on. */
#define LEAST 1e-3

struct extent extent_none(void) {
	return (struct extent){-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, INFINITY};
}

/* fmax() and fmin() of what is known to be a number, without a call. */
static inline double greater(double a, double b) {
	return a > b ? a : b;
}

static inline double less(double a, double b) {
	return a < b ? a : b;
}

void extent_add(struct extent *extent, const struct camera *camera, const double from[static 3],
	const double slopes[static 2], const float *points, size_t count) {
	struct extent e = *extent;
	for (size_t i = 0; i < count; i++) {
		const double point[3] = {points[i * 3], points[i * 3 + 1], points[i * 3 + 2]};
		double offset[3];
		vec3_sub(point, from, offset);
		const double x = vec3_dot(offset, camera->right);
		const double y = vec3_dot(offset, camera->up);
		const double z = vec3_dot(offset, camera->back);
		e.right = greater(x + z * slopes[0], e.right);
		e.left = greater(-x + z * slopes[0], e.left);
		e.top = greater(y + z * slopes[1], e.top);
		e.bottom = greater(-y + z * slopes[1], e.bottom);
		e.nearest = greater(z, e.nearest);
		e.farthest = less(z, e.farthest);
	}
	*extent = e;
}

static double least(const struct extent *e) {
	return LEAST * (fabs(e->nearest - e->farthest) + LEAST);
}

double extent_distance(const struct extent *e, const double slopes[static 2], bool aimed) {
	const double distance = aimed
		? fmax(fmax(e->right, e->left) / slopes[0], fmax(e->top, e->bottom) / slopes[1])
		: fmax((e->right + e->left) / (2 * slopes[0]),
			  (e->top + e->bottom) / (2 * slopes[1]));
	return fmax(distance, fmax(e->nearest, 0) + least(e));
}

double extent_half_height(const struct extent *e, double aspect, double fill, bool aimed) {
	const double across = aimed ? fmax(e->right, e->left) : (e->right + e->left) / 2;
	const double along = aimed ? fmax(e->top, e->bottom) : (e->top + e->bottom) / 2;
	return fmax(fmax(across / aspect, along) / fill, least(e));
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

/* The functions whose extremes measure() and choose_projection() search. */
static void add_view_directions(const struct camera_settings *settings, double aspect,
	const struct camera *probe, struct camera_extremes *extremes) {
	const double slope = camera_slope(settings) * camera_fill(settings);
	const double depth[3] = {settings->view[2], settings->view[6], settings->view[10]};
	switch (settings->kind) {
	case CAMERA_ORBIT:
		add_both(extremes, probe->right, probe->back, slope * aspect);
		add_both(extremes, probe->up, probe->back, slope);
		add_both(extremes, probe->back, probe->back, 0);
		break;
	case CAMERA_LOOK:
		if (settings->orthographic) { // which leaves open how much is seen
			add_both(extremes, probe->right, probe->back, 0);
			add_both(extremes, probe->up, probe->back, 0);
		}
		add_both(extremes, probe->back, probe->back, 0);
		break;
	case CAMERA_NODE: // of which nothing is fitted
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
	// Errors in the settings are reported by the camera_make() at the end.
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
