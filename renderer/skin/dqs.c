// Dual quaternion skinning on the CPU.
#include "skin/dqs.h"

#include "skin/block.h"
#include "skin/normal.h"

/* Below this squared length a blend counts as vanished: antipodal influences that cancel. */
#define LEAST_BLEND_SQUARE 1e-12f

static const struct field real_field = {DQS_ENTRY_FLOATS, 0};
static const struct field dual_field = {DQS_ENTRY_FLOATS, 4};
static const struct field stretch_field = {DQS_ENTRY_FLOATS, 8};

/* Real and dual part of a motion, in every lane. */
struct motion {
	struct lanes4 real, dual;
};

/* The blended motion, not normalised; signs follow the pivot. */
KERNEL struct motion blend_motion(const struct block *block) {
	const struct motion pivot = {
		block_gather(block, 0, real_field), block_gather(block, 0, dual_field)};
	const lanes first = block_weights(block, 0);
	struct motion sum = {lanes4_scale(pivot.real, first), lanes4_scale(pivot.dual, first)};
	for (int k = 1; k < block->influence_count; k++) {
		const struct lanes4 real = block_gather(block, k, real_field);
		const struct lanes4 dual = block_gather(block, k, dual_field);
		const lane_mask opposite = lanes4_dot(real, pivot.real) < 0;
		const lanes weight = lanes_negate_where(opposite, block_weights(block, k));
		sum.real = lanes4_add_scaled(sum.real, real, weight);
		sum.dual = lanes4_add_scaled(sum.dual, dual, weight);
	}
	const lane_mask fine = lanes4_dot(sum.real, sum.real) > LEAST_BLEND_SQUARE;
	if (__builtin_expect(lanes_all(fine), true)) {
		return sum;
	}
	return (struct motion){lanes4_select(fine, sum.real, pivot.real),
		lanes4_select(fine, sum.dual, pivot.dual)};
}

/* The motion as a matrix, which is cheaper than turning position and normal by the quaternion.
 * 2 / |q|^2 in its products stands for normalising: that takes no root. */
KERNEL struct lanes_matrix matrix_of(struct motion motion) {
	const struct lanes4 q = motion.real;
	const struct lanes3 r = lanes3_of(q), d = lanes3_of(motion.dual);
	const lanes k = 2.0f / lanes4_dot(q, q);
	const struct lanes3 kr = lanes3_scale(r, k), w = lanes3_scale(kr, q.w);
	const lanes xx = kr.x * r.x, xy = kr.x * r.y, xz = kr.x * r.z;
	const lanes yy = kr.y * r.y, yz = kr.y * r.z, zz = kr.z * r.z;
	// The translation is 2 (w d - e r + r x d) with the dual part (d, e).
	const struct lanes3 along =
		lanes3_subtract(lanes3_scale(d, q.w), lanes3_scale(r, motion.dual.w));
	return (struct lanes_matrix){
		{1.0f - (yy + zz), xy + w.z, xz - w.y},
		{xy - w.z, 1.0f - (xx + zz), yz + w.x},
		{xz + w.y, yz - w.x, 1.0f - (xx + yy)},
		lanes3_scale(lanes3_add(along, lanes3_cross(r, d)), k),
	};
}

/* What is skinned of a block's vertices. */
struct surface {
	struct lanes3 position, normal, tangent;
};

/* Phase 1: the blended stretch; vertices that only rigid joints move keep their bits. */
KERNEL void stretch(const struct block *block, struct surface *surface) {
	lanes flag;
	const struct lanes_matrix m = block_blend(block, stretch_field, &flag);
	const lane_mask rigid = flag == 0;
	surface->position =
		lanes3_select(rigid, surface->position, lanes_map_point(&m, surface->position));
	surface->normal = lanes3_select(
		rigid, surface->normal, normal_map(block, &m, surface->normal, stretch_field));
	surface->tangent =
		lanes3_select(rigid, surface->tangent, lanes_map_direction(&m, surface->tangent));
}

KERNEL void skin_block(const struct block *block, bool stretched) {
	struct surface s = {.position = block_position(block), .normal = block_normal(block)};
	lanes handedness = {0};
	if (block_has_tangents(block)) {
		const struct lanes4 tangent = block_tangent(block);
		s.tangent = lanes3_of(tangent);
		handedness = tangent.w;
	}
	if (stretched) {
		stretch(block, &s);
	}
	const struct lanes_matrix m = matrix_of(blend_motion(block));
	block_put_position(block, lanes_map_point(&m, s.position));
	const struct lanes3 normal = lanes_map_direction(&m, s.normal);
	block_put_normal(block, normal);
	if (block_has_tangents(block)) {
		const struct lanes3 tangent = lanes_map_direction(&m, s.tangent);
		block_put_tangent(block, normal_finish_tangent(normal, tangent), handedness);
	}
}

/* Whether any joint of the primitive is not rigid. */
static bool is_stretched(const struct skin_job *job, const struct primitive *primitive) {
	const float *entries = job->palette + (size_t)primitive->first_slot * DQS_ENTRY_FLOATS;
	for (int i = 0; i < primitive->slot_count; i++) {
		if (entries[(size_t)i * DQS_ENTRY_FLOATS + 8 + 3] != 0) {
			return true;
		}
	}
	return false;
}

KERNEL void skin(const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive);
	struct block block;
	for (block_begin(&block, job, primitive, DQS_ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		skin_block(&block, stretched);
	}
}

#ifdef LANES_AVX2
LANES_TARGET void dqs_skin_avx2(const struct skin_job *job, const struct primitive *primitive) {
	skin(job, primitive);
}
#else
void dqs_skin(const struct skin_job *job, const struct primitive *primitive) {
	if (!job->plain && LANES_CPU_HAS_AVX2()) {
		dqs_skin_avx2(job, primitive);
	} else {
		skin(job, primitive);
	}
}
#endif
