/* Rigid motions as matrices with their rotations as quaternions beside them, for methods that turn
 * about centres of their own. */
#pragma once

#include "skin/motion.h"
#include "skin/palette.h"
#include "skin/rigid.h"

/* Floats in the palette: a matrix, then the quaternion. */
#define TURNED_FLOATS 16
#define TURNED_ROTATION 12

/* Writes a joint's rigid motion. */
static inline void turned_write(const struct rigid_joint *joint, float *entry) {
	const double *q = joint->rotation, *t = joint->translation;
	const double m[12] = {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]),
		2 * (q[0] * q[2] + q[1] * q[3]), t[0], //
		2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
		2 * (q[1] * q[2] - q[0] * q[3]), t[1], //
		2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
		1 - 2 * (q[0] * q[0] + q[1] * q[1]), t[2]};
	palette_write_matrix(m, entry);
	for (int i = 0; i < 4; i++) {
		entry[TURNED_ROTATION + i] = (float)q[i];
	}
}

/* Rotations blended by weight, not normalised; where they cancel, the pivot's. field is that of the
 * quaternions. */
KERNEL struct lanes4 turned_blend(
	const struct block *block, struct field field, enum skin_sign sign) {
	const struct lanes4 pivot = block_gather(block, 0, field);
	struct lanes4 sum = lanes4_scale(pivot, block_weights(block, 0));
	for (int k = 1; k < block->influence_count; k++) {
		const struct lanes4 q = block_gather(block, k, field);
		const lanes weights = motion_weights(sign, block_weights(block, k), q, pivot);
		sum = lanes4_add_scaled(sum, q, weights);
	}
	const lane_mask fine = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return lanes4_select(fine, sum, pivot);
}

/* The same of a usual block. */
KERNEL struct lanes4 turned_blend_usual(
	const struct block *block, struct field field, enum skin_sign sign) {
	const struct lanes4 weights = block_weights_usual(block);
	const lanes others[] = {weights.y, weights.z, weights.w};
	const struct lanes4 pivot = block_gather_usual(block, 0, field);
	struct lanes4 sum = lanes4_scale(pivot, weights.x);
#pragma GCC unroll 3
	for (int k = 1; k < 4; k++) {
		const struct lanes4 q = block_gather_usual(block, k, field);
		sum = lanes4_add_scaled(sum, q, motion_weights(sign, others[k - 1], q, pivot));
	}
	const lane_mask fine = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return lanes4_select(fine, sum, pivot);
}
