/* Normals and tangents under blended matrices; shared by the methods. METHODS B2, 0.10. */
#pragma once

#include "skin/block.h"

/* At or below this squared length a normal counts as vanished. */
#define NORMAL_LEAST_SQUARE 1e-20f

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

/* Scaled to length 1, and where *fine, which ones had a length. */
KERNEL struct lanes3 normal_unit(struct lanes3 n, lane_mask *fine) {
	const lanes square = lanes3_dot(n, n);
	*fine = square > NORMAL_LEAST_SQUARE;
	return lanes3_scale(n, 1.0f / lanes_sqrt(square));
}

/* What stands in for a vanished normal: the one under the pivot's matrix alone, else the pivot's
 * matrix as if it turned only, else the normal of the rest pose. */
KERNEL struct lanes3 normal_of_pivot(const struct lanes_matrix *pivot, struct lanes3 n) {
	lane_mask fine;
	const struct lanes3 turned = normal_unit(lanes_map_direction(pivot, n), &fine);
	const struct lanes3 last = lanes3_select(fine, turned, n);
	const struct lanes3 mapped = normal_unit(normal_cofactor(pivot, n), &fine);
	return lanes3_select(fine, mapped, last);
}

/* The unit normals under the blended matrices m of a field of the palette. */
KERNEL struct lanes3 normal_map(const struct block *block, const struct lanes_matrix *m,
	struct lanes3 n, struct field field) {
	lane_mask fine;
	const struct lanes3 mapped = normal_unit(normal_cofactor(m, n), &fine);
	if (__builtin_expect(lanes_all(fine), true)) {
		return mapped;
	}
	const struct lanes_matrix pivot = block_matrix_of(block, 0, field);
	return lanes3_select(fine, mapped, normal_of_pivot(&pivot, n));
}

/* The same by the matrices themselves instead of their cofactors (METHODS B1). */
KERNEL struct lanes3 normal_map_same(const struct block *block, const struct lanes_matrix *m,
	struct lanes3 n, struct field field) {
	lane_mask fine;
	const struct lanes3 mapped = normal_unit(lanes_map_direction(m, n), &fine);
	if (__builtin_expect(lanes_all(fine), true)) {
		return mapped;
	}
	const struct lanes_matrix pivot = block_matrix_of(block, 0, field);
	return lanes3_select(fine, mapped, normal_of_pivot(&pivot, n));
}

/* By one or the other, as settings ask: normals are NORMALS_SAME or else by cofactors. */
KERNEL struct lanes3 normal_map_by(enum normals by, const struct block *block,
	const struct lanes_matrix *m, struct lanes3 n, struct field field) {
	return by == NORMALS_SAME ? normal_map_same(block, m, n, field)
				  : normal_map(block, m, n, field);
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
	lane_mask always;
	return normal_unit(lanes3_subtract(axis, along), &always);
}

/* Mapped tangents made unit and at right angles to the unit normals (Gram-Schmidt); where nothing
 * is left of one, any direction across the normal. */
KERNEL struct lanes3 normal_finish_tangent(struct lanes3 n, struct lanes3 t) {
	const struct lanes3 across = lanes3_subtract(t, lanes3_scale(n, lanes3_dot(n, t)));
	const lanes least = lanes3_dot(t, t) * TANGENT_LEAST_SINE_SQUARE;
	lane_mask fine;
	const struct lanes3 unit = normal_unit(across, &fine);
	fine &= lanes3_dot(across, across) > least;
	return lanes3_select(fine, unit, normal_any_tangent(n));
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
