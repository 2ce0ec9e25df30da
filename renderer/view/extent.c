// What points take of a picture.
#include "view/extent.h"

#include <math.h>

#include "base/vec.h"

/* Share of its depth that a thing stands off at least, or is seen high: a lone point, or a flat
 * thing seen edge on. */
#define LEAST 1e-3

struct extent extent_none(void) {
	return (struct extent){-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, INFINITY};
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
		e.right = fmax(e.right, x + z * slopes[0]);
		e.left = fmax(e.left, -x + z * slopes[0]);
		e.top = fmax(e.top, y + z * slopes[1]);
		e.bottom = fmax(e.bottom, -y + z * slopes[1]);
		e.nearest = fmax(e.nearest, z);
		e.farthest = fmin(e.farthest, z);
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
