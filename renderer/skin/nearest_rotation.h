/* The rotation nearest to a matrix: that factor of its polar decomposition, with the sign that
 * makes it proper.
 *
 * With A = R S, R a rotation and S symmetric, and the invariants of S: trace l, s = sum of products
 * of two eigenvalues, d = det S = det A, Cayley and Hamilton's theorem for S gives
 *   R (l s - d) = (l^2 - s) A + l cof A - A A^T A.
 * For |A| = 1: l^2 = 1 + 2 s, and s^2 = |cof A|^2 + 2 d l, whose greatest solution l is that of the
 * nearest rotation. A few steps of Newton's find it. l s - d is the
 * product of sums of two eigenvalues: it vanishes where A has rank 1, and no rotation is nearest.
 * Source: the quartic is that of Horn, Closed-form solution of absolute orientation using unit
 * quaternions, JOSA A 4 (1987). */
#pragma once

#include "base/lanes.h"

/* Below this product of sums of two singular values, of |A| = 1, there is no rotation. */
#define NEAREST_ROTATION_LEAST 1e-3f

/* Beyond these squares of its length a matrix is scaled first: floats lose digits in them. */
#define NEAREST_ROTATION_LEAST_SQUARE 1e-30f
#define NEAREST_ROTATION_MOST_SQUARE 1e30f

/* Steps of Newton's that reach the last digits; more of them where A mirrors, since the greatest
 * solution may have another near it then. */
#define NEAREST_ROTATION_STEPS 3
#define NEAREST_ROTATION_MIRRORED_STEPS 12

/* One step towards the greatest solution l of (l^2 - 1)^2 = 8 d l + 4 c. */
KERNEL lanes nearest_rotation_step(lanes c, lanes d, lanes l) {
	const lanes m = l * l - 1.0f;
	const lanes value = m * m - 8.0f * (d * l) - 4.0f * c;
	const lanes slope = 4.0f * (l * m) - 8.0f * d;
	return l - value / slope;
}

/* Begins at or above the solution, from where Newton's steps only fall: exact where d is 0, and of
 * the first order in d > 0. */
KERNEL lanes nearest_rotation_trace(lanes c, lanes d) {
	const lanes zero = {0}, root = lanes_sqrt(c);
	lanes l = lanes_sqrt(1.0f + 2.0f * root) + lanes_select(d > 0, d, zero) / root;
	for (int i = 0; i < NEAREST_ROTATION_STEPS; i++) {
		l = nearest_rotation_step(c, d, l);
	}
	const lane_mask mirrored = d < 0;
	if (__builtin_expect(!lanes_all(~mirrored), false)) {
		for (int i = NEAREST_ROTATION_STEPS; i < NEAREST_ROTATION_MIRRORED_STEPS; i++) {
			l = lanes_select(mirrored, nearest_rotation_step(c, d, l), l);
		}
	}
	return l;
}

/* Three columns as a linear map. */
struct lanes_columns {
	struct lanes3 a0, a1, a2;
};

KERNEL struct lanes3 nearest_rotation_column(
	struct lanes3 a, struct lanes3 cofactor, struct lanes3 cubed, lanes l, lanes k, lanes by) {
	return (struct lanes3){
		(k * a.x + l * cofactor.x - cubed.x) * by,
		(k * a.y + l * cofactor.y - cubed.y) * by,
		(k * a.z + l * cofactor.z - cubed.z) * by,
	};
}

/* x a0 + y a1 + z a2 */
KERNEL struct lanes3 lanes_columns_map(const struct lanes_columns *a, lanes x, lanes y, lanes z) {
	return lanes3_add(
		lanes3_add(lanes3_scale(a->a0, x), lanes3_scale(a->a1, y)), lanes3_scale(a->a2, z));
}

KERNEL lanes lanes_columns_square(struct lanes_columns a) {
	return lanes3_dot(a.a0, a.a0) + lanes3_dot(a.a1, a.a1) + lanes3_dot(a.a2, a.a2);
}

/* Scaled to length 1, whatever its scale; *fine tells which are not zero. */
KERNEL struct lanes_columns lanes_columns_unit(struct lanes_columns a, lane_mask *ok) {
	lanes norm = lanes_columns_square(a);
	*ok = (norm > NEAREST_ROTATION_LEAST_SQUARE) & (norm < NEAREST_ROTATION_MOST_SQUARE);
	if (__builtin_expect(!lanes_all(*ok), false)) {
		const lanes zero = {0}, one = zero + 1.0f;
		const lanes greatest =
			lanes_greater(lanes_greater(lanes3_greatest(a.a0), lanes3_greatest(a.a1)),
				lanes3_greatest(a.a2));
		const lanes by = lanes_select(*ok | (greatest == 0), one, greatest);
		a = (struct lanes_columns){
			lanes3_divide(a.a0, by), lanes3_divide(a.a1, by), lanes3_divide(a.a2, by)};
		norm = lanes_columns_square(a);
		*ok = norm > 0;
	}
	const lanes scale = 1.0f / lanes_sqrt(norm);
	return (struct lanes_columns){
		lanes3_scale(a.a0, scale), lanes3_scale(a.a1, scale), lanes3_scale(a.a2, scale)};
}

/* The rotation nearest to a, and which lanes have one. */
KERNEL struct lanes_columns nearest_rotation(struct lanes_columns a, lane_mask *ok) {
	const struct lanes_columns n = lanes_columns_unit(a, ok);
	const struct lanes3 c0 = lanes3_cross(n.a1, n.a2), c1 = lanes3_cross(n.a2, n.a0);
	const struct lanes3 c2 = lanes3_cross(n.a0, n.a1);
	const lanes d = lanes3_dot(n.a0, c0);
	const lanes c = lanes3_dot(c0, c0) + lanes3_dot(c1, c1) + lanes3_dot(c2, c2);
	const lanes l = nearest_rotation_trace(c, d);
	const lanes s = 0.5f * (l * l - 1.0f), k = l * l - s, product = l * s - d;
	*ok &= product > NEAREST_ROTATION_LEAST;
	const lanes by = 1.0f / product;
	const lanes g01 = lanes3_dot(n.a0, n.a1), g02 = lanes3_dot(n.a0, n.a2);
	const lanes g12 = lanes3_dot(n.a1, n.a2);
	const struct lanes3 cubed0 = lanes_columns_map(&n, lanes3_dot(n.a0, n.a0), g01, g02);
	const struct lanes3 cubed1 = lanes_columns_map(&n, g01, lanes3_dot(n.a1, n.a1), g12);
	const struct lanes3 cubed2 = lanes_columns_map(&n, g02, g12, lanes3_dot(n.a2, n.a2));
	return (struct lanes_columns){
		nearest_rotation_column(n.a0, c0, cubed0, l, k, by),
		nearest_rotation_column(n.a1, c1, cubed1, l, k, by),
		nearest_rotation_column(n.a2, c2, cubed2, l, k, by),
	};
}
