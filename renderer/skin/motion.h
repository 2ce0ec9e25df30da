/* Rigid motions blended as dual quaternions (DLB, METHODS A11); shared by the methods that begin
 * with them. */
#pragma once

#include "skin/block.h"
#include "skin/option.h"
#include "skin/palette.h"
#include "skin/rigid.h"

/* Below this squared length a blend counts as vanished: antipodal influences that cancel. */
#define MOTION_LEAST_SQUARE 1e-12f

/* Real and dual part of a motion, in every lane. */
struct motion {
	struct lanes4 real, dual;
};

/* Weights, negative where the quaternion is farther from the pivot's than the opposite one. */
KERNEL lanes motion_weights(
	enum skin_sign sign, lanes weights, struct lanes4 real, struct lanes4 pivot) {
	return sign != SKIN_SIGN_PIVOT ? weights
				       : lanes_negate_where(lanes4_dot(real, pivot) < 0, weights);
}

/* One more influence. */
KERNEL struct motion motion_add(struct motion sum, struct motion m, lanes weights) {
	return (struct motion){lanes4_add_scaled(sum.real, m.real, weights),
		lanes4_add_scaled(sum.dual, m.dual, weights)};
}

/* The sum over a usual block's four influences. */
KERNEL struct motion motion_sum_usual(const struct block *block, struct field real_field,
	struct field dual_field, enum skin_sign sign) {
	const struct lanes4 weights = block_weights_usual(block);
	const lanes others[] = {weights.y, weights.z, weights.w};
	const struct motion pivot = {
		block_gather_usual(block, 0, real_field), block_gather_usual(block, 0, dual_field)};
	struct motion sum = {
		lanes4_scale(pivot.real, weights.x), lanes4_scale(pivot.dual, weights.x)};
#pragma GCC unroll 3
	for (int k = 1; k < 4; k++) {
		const struct motion m = {block_gather_usual(block, k, real_field),
			block_gather_usual(block, k, dual_field)};
		sum = motion_add(sum, m, motion_weights(sign, others[k - 1], m.real, pivot.real));
	}
	return sum;
}

KERNEL struct motion motion_sum(const struct block *block, struct field real_field,
	struct field dual_field, enum skin_sign sign) {
	const lanes first = block_weights(block, 0);
	const struct motion pivot = {
		block_gather(block, 0, real_field), block_gather(block, 0, dual_field)};
	struct motion sum = {lanes4_scale(pivot.real, first), lanes4_scale(pivot.dual, first)};
	for (int k = 1; k < block->influence_count; k++) {
		const struct motion m = {
			block_gather(block, k, real_field), block_gather(block, k, dual_field)};
		const lanes weights = block_weights(block, k);
		sum = motion_add(sum, m, motion_weights(sign, weights, m.real, pivot.real));
	}
	return sum;
}

/* The blended motion, not normalised. Where it vanishes it is the pivot's. The two fields are a
 * slot's real and dual part. */
KERNEL struct motion motion_blend(const struct block *block, struct field real_field,
	struct field dual_field, enum skin_sign sign) {
	const struct motion sum = block_is_usual(block)
		? motion_sum_usual(block, real_field, dual_field, sign)
		: motion_sum(block, real_field, dual_field, sign);
	const lane_mask ok = lanes4_dot(sum.real, sum.real) > MOTION_LEAST_SQUARE;
	if (__builtin_expect(lanes_all(ok), true)) {
		return sum;
	}
	return (struct motion){lanes4_select(ok, sum.real, block_gather(block, 0, real_field)),
		lanes4_select(ok, sum.dual, block_gather(block, 0, dual_field))};
}

/* A rotation by a quaternion of any length as a matrix without translation. 2 / |q|^2 in its
 * products stands for normalising: that takes no root. */
KERNEL struct lanes_matrix motion_rotation(struct lanes4 q) {
	const struct lanes3 r = lanes3_of(q);
	const lanes k = 2.0f / lanes4_dot(q, q);
	const struct lanes3 kr = lanes3_scale(r, k), w = lanes3_scale(kr, q.w);
	const lanes xx = kr.x * r.x, xy = kr.x * r.y, xz = kr.x * r.z;
	const lanes yy = kr.y * r.y, yz = kr.y * r.z, zz = kr.z * r.z;
	const lanes zero = {0};
	return (struct lanes_matrix){
		{1.0f - (yy + zz), xy + w.z, xz - w.y},
		{xy - w.z, 1.0f - (xx + zz), yz + w.x},
		{xz + w.y, yz - w.x, 1.0f - (xx + yy)},
		{zero, zero, zero},
	};
}

/* The motion as a matrix, which is cheaper than turning position and normal by the quaternion. */
KERNEL struct lanes_matrix motion_matrix(struct motion motion) {
	const struct lanes4 q = motion.real;
	const struct lanes3 r = lanes3_of(q), d = lanes3_of(motion.dual);
	struct lanes_matrix m = motion_rotation(q);
	// The translation is 2 (w d - e r + r x d) with the dual part (d, e).
	const struct lanes3 along =
		lanes3_subtract(lanes3_scale(d, q.w), lanes3_scale(r, motion.dual.w));
	m.b = lanes3_scale(lanes3_add(along, lanes3_cross(r, d)), 2.0f / lanes4_dot(q, q));
	return m;
}

/* The vector part of q times the conjugate of blend, times by. With q what is blended, signed, and
 * by = 2 / |blend|^2 this is how fast the blended rotation turns as q's weight grows: its product
 * across a turned point is how that moves. */
KERNEL struct lanes3 motion_turn_rate(struct lanes4 q, struct lanes4 blend, lanes by) {
	const struct lanes3 u = lanes3_of(q), v = lanes3_of(blend);
	const struct lanes3 straight =
		lanes3_subtract(lanes3_scale(u, blend.w), lanes3_scale(v, q.w));
	return lanes3_scale(lanes3_subtract(straight, lanes3_cross(u, v)), by);
}

/* 2 / |blend|^2; 0 where a blend of rotations vanished. */
KERNEL lanes motion_rate_scale(struct lanes4 blend) {
	const lanes square = lanes4_dot(blend, blend), zero = {0};
	return lanes_select(square > MOTION_LEAST_SQUARE, 2.0f / square, zero);
}

/* Floats in the palette: a matrix, then the quaternion. */
#define TURNED_FLOATS 16
#define TURNED_ROTATION 12

/* Writes a joint's rigid motion, of points given in that unit. */
static inline void turned_write_in(const struct rigid_joint *joint, double unit, float *entry) {
	double m[12];
	rigid_matrix(joint, m);
	for (int i = 0; i < 12; i++) {
		m[i] *= i % 4 < 3 ? unit : 1;
	}
	palette_write_matrix(m, entry);
	for (int i = 0; i < 4; i++) {
		entry[TURNED_ROTATION + i] = (float)joint->rotation[i];
	}
}

static inline void turned_write(const struct rigid_joint *joint, float *entry) {
	turned_write_in(joint, 1, entry);
}

/* Rows of four numbers, one to a vertex of the rig. */
KERNEL struct lanes4 block_vertex_row4(const struct block *block, const float *rows) {
	return __builtin_expect(block->left >= LANE_COUNT, true)
		? lanes_load4(rows + block->job_vertex * 4, 4)
		: block_row4(block, rows, 4);
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
	const lane_mask ok = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return lanes4_select(ok, sum, pivot);
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
	const lane_mask ok = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return lanes4_select(ok, sum, pivot);
}

/* A rotation as a twist about an axis, of any length, first and a swing after it: q = swing *
 * twist, all unit quaternions. Where there is no axis, or the rotation has no twist that could be
 * told, it is all swing. METHODS 0.5. */
void turns_swing_twist(const double q[static 4], const double axis[static 3],
	double swing[static 4], double twist[static 4]);

/* A rotation as a matrix, rows of 3x4. */
void turns_matrix(const double q[static 4], double m[static 12]);
