/* Normals and tangents under blended matrices; shared by the methods. METHODS B2, 0.10. */
#pragma once

#include "skin/block.h"

/* A normal under cofactors has vanished where it is no longer than 1e-10 times the square of its
 * matrix' size, one under the matrix itself than 1e-10 times the size; this is the square of that.
 */
#define NORMAL_LEAST_SQUARE 1e-20f

/* Squares above it lose no digits to numbers too small for float32. */
#define NORMAL_SAFE_SQUARE 1e-30f

/* Squared sine of the angle to its normal at or below which a tangent has no direction of its own:
 * what Gram-Schmidt leaves of it is mostly rounding, and not at right angles. */
#define TANGENT_LEAST_SINE_SQUARE 1e-6f

/* cof(A) n, not normalised, for the linear part A of the matrix m. With A's columns a0 a1 a2 this
 * is (nx a1 - ny a0) x a2 + nz (a0 x a1): two cross products instead of three. */
KERNEL struct lanes3 normal_cofactor(const struct lanes_matrix *m, struct lanes3 n) {
	const struct lanes3 side =
		lanes3_subtract(lanes3_scale(m->a1, n.x), lanes3_scale(m->a0, n.y));
	return lanes3_add(lanes3_cross(side, m->a2), lanes3_scale(lanes3_cross(m->a0, m->a1), n.z));
}

/* The sum of the squares of m's linear part: no less than the square of its size, which is the
 * length of its longest row. */
KERNEL lanes normal_size_square(const struct lanes_matrix *m) {
	return (lanes3_dot(m->a0, m->a0) + lanes3_dot(m->a1, m->a1)) + lanes3_dot(m->a2, m->a2);
}

/* No less than that of any blend of the palette's matrices. Costs nothing, other than to measure
 * every vertex' own. */
KERNEL lanes normal_palette_size_square(const struct block *block) {
	const float most = block->job->matrix_size_square;
	return (lanes){0} + (most > 0 ? most : __builtin_inff());
}

/* The square that a mapped normal has to exceed so that float32 as it is gives its direction,
 * with a matrix whose squared size is no greater than this. Infinite where that might overflow. */
KERNEL lanes normal_floor(enum normals by, lanes size_square) {
	const lanes relative = by == NORMALS_SAME ? size_square : size_square * size_square;
	return NORMAL_LEAST_SQUARE * relative + NORMAL_SAFE_SQUARE;
}

/* The divisor by which the greatest number becomes 1; 1 where all are 0. */
KERNEL lanes normal_divisor(lanes greatest) {
	const lanes zero = {0}, one = zero + 1.0f;
	return lanes_select(greatest > 0, greatest, one);
}

/* The square of the length of the longest row. */
KERNEL lanes normal_longest_row(const struct lanes_matrix *m) {
	const lanes x = m->a0.x * m->a0.x + m->a1.x * m->a1.x + m->a2.x * m->a2.x;
	const lanes y = m->a0.y * m->a0.y + m->a1.y * m->a1.y + m->a2.y * m->a2.y;
	const lanes z = m->a0.z * m->a0.z + m->a1.z * m->a1.z + m->a2.z * m->a2.z;
	return lanes_greater(lanes_greater(x, y), z);
}

/* The linear part divided by its greatest number, and that number. */
KERNEL struct lanes_matrix normal_scaled(const struct lanes_matrix *m, lanes *divisor) {
	const lanes greatest =
		lanes_greater(lanes_greater(lanes3_greatest(m->a0), lanes3_greatest(m->a1)),
			lanes3_greatest(m->a2));
	*divisor = normal_divisor(greatest);
	return (struct lanes_matrix){lanes3_divide(m->a0, *divisor), lanes3_divide(m->a1, *divisor),
		lanes3_divide(m->a2, *divisor), m->b};
}

/* Functions that are named rarely are not inlined, so that the usual way keeps its registers. */
#define RARELY LANES_TARGET static __attribute__((noinline, cold, unused))

/* Makes *v unit, and asks each lane for itself what normal_unit() asks all. */
RARELY lane_mask normal_unit_rarely(const struct lanes_matrix *m, struct lanes3 *v) {
	const lanes square = lanes3_dot(*v, *v);
	const lane_mask near = square > normal_floor(NORMALS_SAME, normal_size_square(m));
	lanes divisor;
	const struct lanes_matrix scaled = normal_scaled(m, &divisor);
	const struct lanes3 small = lanes3_divide(*v, divisor);
	const lanes far = lanes3_dot(small, small);
	*v = lanes3_select(near, lanes3_scale(*v, 1.0f / lanes_sqrt(square)),
		lanes3_scale(small, 1.0f / lanes_sqrt(far)));
	return near | (far > NORMAL_LEAST_SQUARE * normal_longest_row(&scaled));
}

/* Unit vectors that a matrix m, or several of its size, have mapped, unit again; *fine tells which
 * have not vanished. size_square is no less than normal_size_square(m). */
KERNEL struct lanes3 normal_unit(
	const struct lanes_matrix *m, lanes size_square, struct lanes3 v, lane_mask *ok) {
	const lanes square = lanes3_dot(v, v);
	*ok = square > normal_floor(NORMALS_SAME, size_square);
	if (__builtin_expect(lanes_all(*ok), true)) {
		return lanes3_scale(v, 1.0f / lanes_sqrt(square));
	}
	const struct lanes_matrix own = *m;
	struct lanes3 unit = v;
	*ok = normal_unit_rarely(&own, &unit);
	return unit;
}

RARELY lane_mask normal_unit_cofactor_rarely(const struct lanes_matrix *m, struct lanes3 *n) {
	const struct lanes3 mapped = normal_cofactor(m, *n);
	const lanes square = lanes3_dot(mapped, mapped);
	const lane_mask near = square > normal_floor(NORMALS_COF, normal_size_square(m));
	lanes divisor;
	const struct lanes_matrix scaled = normal_scaled(m, &divisor);
	const struct lanes3 small = normal_cofactor(&scaled, *n);
	const lanes far = lanes3_dot(small, small), size = normal_longest_row(&scaled);
	*n = lanes3_select(near, lanes3_scale(mapped, 1.0f / lanes_sqrt(square)),
		lanes3_scale(small, 1.0f / lanes_sqrt(far)));
	return near | (far > NORMAL_LEAST_SQUARE * (size * size));
}

/* The same for unit normals under a matrix' cofactors. */
KERNEL struct lanes3 normal_unit_cofactor(
	const struct lanes_matrix *m, lanes size_square, struct lanes3 n, lane_mask *ok) {
	const struct lanes3 mapped = normal_cofactor(m, n);
	const lanes square = lanes3_dot(mapped, mapped);
	*ok = square > normal_floor(NORMALS_COF, size_square);
	if (__builtin_expect(lanes_all(*ok), true)) {
		return lanes3_scale(mapped, 1.0f / lanes_sqrt(square));
	}
	const struct lanes_matrix own = *m;
	struct lanes3 unit = n;
	*ok = normal_unit_cofactor_rarely(&own, &unit);
	return unit;
}

/* The substitute for a vanished normal, in *n: the one under the pivot's matrix alone, else the
 * pivot's matrix as if it turned only, else the normal of the rest pose, which *n is before. */
RARELY void normal_of_pivot(const struct lanes_matrix *pivot, struct lanes3 *n) {
	struct lanes3 turned = lanes_map_direction(pivot, *n), mapped = *n;
	lane_mask ok = normal_unit_rarely(pivot, &turned);
	*n = lanes3_select(ok, turned, *n);
	ok = normal_unit_cofactor_rarely(pivot, &mapped);
	*n = lanes3_select(ok, mapped, *n);
}

/* The unit normals under the blended matrices m of a field of the palette, as settings ask: by is
 * NORMALS_SAME (METHODS B1) or else by cofactors (B2). size_square as normal_unit() has it. */
KERNEL struct lanes3 normal_map(enum normals by, const struct block *block,
	const struct lanes_matrix *m, lanes size_square, struct lanes3 n, struct field field) {
	lane_mask ok;
	const struct lanes3 mapped = by == NORMALS_SAME
		? normal_unit(m, size_square, lanes_map_direction(m, n), &ok)
		: normal_unit_cofactor(m, size_square, n, &ok);
	if (__builtin_expect(lanes_all(ok), true)) {
		return mapped;
	}
	const struct lanes_matrix pivot = block_matrix_of(block, 0, field);
	struct lanes3 instead = n;
	normal_of_pivot(&pivot, &instead);
	return lanes3_select(ok, mapped, instead);
}

/* The derivative of v' = sum of w_k M_k v: the blended matrix plus the images of v under the
 * matrices times the gradients of the weights. Since those sum to zero, images count from v'
 * (METHODS B3). */
KERNEL struct lanes_matrix normal_derivative(const struct block *block,
	const struct lanes_matrix *blended, struct lanes3 v, struct field field) {
	struct lanes_matrix j = *blended;
	const struct lanes3 middle = lanes_map_point(blended, v);
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes_matrix m = block_matrix_of(block, k, field);
		const struct lanes3 image = lanes3_subtract(lanes_map_point(&m, v), middle);
		const struct lanes3 g = block_influence_row3(block, k, block->job->gradients, 3);
		j.a0 = lanes3_add(j.a0, lanes3_scale(image, g.x));
		j.a1 = lanes3_add(j.a1, lanes3_scale(image, g.y));
		j.a2 = lanes3_add(j.a2, lanes3_scale(image, g.z));
	}
	return j;
}

/* Any unit vectors at right angles to the unit normals. */
KERNEL struct lanes3 normal_any_tangent(struct lanes3 n) {
	const lane_mask use_x = lanes_abs(n.x) < 0.6f;
	const lanes zero = {0}, one = zero + 1.0f;
	const struct lanes3 axis = {
		lanes_select(use_x, one, zero), lanes_select(use_x, zero, one), zero};
	const struct lanes3 along = lanes3_scale(n, lanes_select(use_x, n.x, n.y));
	const struct lanes3 across = lanes3_subtract(axis, along);
	return lanes3_scale(across, 1.0f / lanes_sqrt(lanes3_dot(across, across)));
}

/* The part of tangents across the unit normals, unit; *fine tells where that is enough, and no
 * square below the least. */
KERNEL struct lanes3 normal_across(struct lanes3 n, struct lanes3 t, float least, lane_mask *ok) {
	const struct lanes3 across = lanes3_subtract(t, lanes3_scale(n, lanes3_dot(n, t)));
	const lanes square = lanes3_dot(across, across);
	*ok = (square > least) & (square > lanes3_dot(t, t) * TANGENT_LEAST_SINE_SQUARE);
	return lanes3_scale(across, 1.0f / lanes_sqrt(square));
}

/* Behind normal_finish_tangent() where some tangents lie along their normals, or are beyond what
 * float32 squares. */
RARELY void normal_finish_rarely(const struct lanes3 *n, struct lanes3 *t) {
	lane_mask near, far;
	const struct lanes3 unit = normal_across(*n, *t, NORMAL_SAFE_SQUARE, &near);
	const struct lanes3 scaled = lanes3_divide(*t, normal_divisor(lanes3_greatest(*t)));
	const struct lanes3 rescued = normal_across(*n, scaled, 0, &far);
	*t = lanes3_select(near, unit, lanes3_select(far, rescued, normal_any_tangent(*n)));
}

/* Mapped tangents made unit and at right angles to the unit normals (Gram-Schmidt); where nothing
 * is left of one, any direction across the normal. */
KERNEL struct lanes3 normal_finish_tangent(struct lanes3 n, struct lanes3 t) {
	lane_mask ok;
	const struct lanes3 unit = normal_across(n, t, NORMAL_SAFE_SQUARE, &ok);
	if (__builtin_expect(lanes_all(ok), true)) {
		return unit;
	}
	const struct lanes3 normal = n;
	struct lanes3 tangent = t;
	normal_finish_rarely(&normal, &tangent);
	return tangent;
}

/* Puts a block's unit normals back, and with tangents those that the matrices m map. */
KERNEL void normal_put(const struct block *block, const struct lanes_matrix *m,
	struct lanes3 normal, bool tangents) {
	block_put_normal(block, normal);
	if (tangents) {
		const struct lanes4 tangent = block_tangent(block);
		const struct lanes3 mapped = lanes_map_direction(m, lanes3_of(tangent));
		block_put_tangent(block, normal_finish_tangent(normal, mapped), tangent.w);
	}
}

/* Puts a block's vertices back that the matrices m map. field is that of the palette's. */
KERNEL void normal_put_mapped(
	const struct block *block, const struct lanes_matrix *m, struct field field) {
	block_put_position(block, lanes_map_point(m, block_position(block)));
	const struct lanes3 normal = normal_map(block->job->normals_by, block, m,
		normal_palette_size_square(block), block_normal(block), field);
	normal_put(block, m, normal, block_has_tangents(block));
}
