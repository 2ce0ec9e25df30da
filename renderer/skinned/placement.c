// Transforms skinned vertices from their rig's world to another.
#include "skinned/placement.h"

#include <math.h>

#include "base/mat.h"
#include "base/vec.h"

/* At or below this squared length a normal has vanished, since its surface was flattened to a line:
 * as in placed.glsl. */
#define VANISHED 1e-20

/* The cofactor matrix of the linear part, scaled to a greatest number of 1; the identity where
 * everything is flattened to a line. METHODS B2. */
static void make_normal_map(const double map[static 12], double out[static 9]) {
	const double *const rows[3] = {map, map + 4, map + 8};
	double greatest = 0;
	for (int i = 0; i < 3; i++) {
		vec3_cross(rows[(i + 1) % 3], rows[(i + 2) % 3], out + i * 3);
		for (int k = 0; k < 3; k++) {
			greatest = fmax(greatest, fabs(out[i * 3 + k]));
		}
	}
	for (int i = 0; i < 9; i++) {
		out[i] = greatest > 0 ? out[i] / greatest : i % 4 == 0;
	}
}

struct placement placement_make(const double rows[static 12]) {
	static const double identity[12] = MAT_IDENTITY;
	struct placement placement = {
		.mirrored = mat_determinant(rows) < 0,
		.is_identity = true,
	};
	for (int i = 0; i < 12; i++) {
		placement.map[i] = rows[i];
		placement.is_identity &= rows[i] == identity[i];
	}
	make_normal_map(rows, placement.normal_map);
	return placement;
}

static void load(const float *from, double to[static 3]) {
	for (int i = 0; i < 3; i++) {
		to[i] = (double)from[i];
	}
}

static void store(const double from[static 3], float *to) {
	for (int i = 0; i < 3; i++) {
		to[i] = (float)from[i];
	}
}

void placement_apply_points(const struct placement *placement, float *points, size_t count) {
	for (size_t i = 0; !placement->is_identity && i < count; i++) {
		double point[3];
		load(points + i * 3, point);
		mat_map_point(placement->map, point, point);
		store(point, points + i * 3);
	}
}

static void apply_normals(const struct placement *placement, float *normals, size_t count) {
	const double *m = placement->normal_map;
	for (size_t i = 0; i < count; i++) {
		double n[3];
		load(normals + i * 3, n);
		double mapped[3] = {vec3_dot(m, n), vec3_dot(m + 3, n), vec3_dot(m + 6, n)};
		if (vec3_dot(mapped, mapped) > VANISHED && vec3_normalize(mapped)) {
			store(mapped, normals + i * 3);
		}
	}
}

/* Vectors perpendicular to a normal stay so: that is the purpose of the cofactor matrix. */
static void apply_tangents(const struct placement *placement, float *tangents, size_t count) {
	for (size_t i = 0; i < count; i++) {
		double t[3];
		load(tangents + i * 4, t);
		mat_map_direction(placement->map, t, t);
		if (vec3_normalize(t)) {
			store(t, tangents + i * 4);
		}
	}
}

void placement_apply(
	const struct placement *placement, const struct streams *streams, size_t count) {
	if (placement->is_identity) {
		return;
	}
	if (streams->positions) {
		placement_apply_points(placement, streams->positions, count);
	}
	if (streams->normals) {
		apply_normals(placement, streams->normals, count);
	}
	if (streams->tangents) {
		apply_tangents(placement, streams->tangents, count);
	}
}

bool placement_keeps_near(const struct placement *placement) {
	for (int i = 0; i < 12; i++) {
		if (!(fabs(placement->map[i]) < (i % 4 == 3 ? 1e18 : 1e9))) {
			return false;
		}
	}
	return true;
}

struct drawn_figure placement_figure(const struct placement *placement, size_t copy) {
	struct drawn_figure figure = {{0}, {0}};
	for (int row = 0; row < 3; row++) {
		for (int k = 0; k < 4; k++) {
			figure.placement[row * 4 + k] = (float)placement->map[row * 4 + k];
		}
		for (int k = 0; k < 3; k++) {
			figure.normal_map[row * 4 + k] = (float)placement->normal_map[row * 3 + k];
		}
	}
	figure.normal_map[3] = (float)copy;
	return figure;
}

void footing_add(struct footing *footing, const float *positions, size_t count) {
	const struct bounds box = bounds_of_points(positions, count);
	if (count > 0) {
		bounds_add(&footing->box, &box);
		footing->size = fmax(footing->size,
			hypot(hypot((double)box.max[0] - box.min[0],
				      (double)box.max[1] - box.min[1]),
				(double)box.max[2] - box.min[2]));
	}
}
