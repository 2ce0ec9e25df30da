/* Dual quaternion skinning: rigid motions blended as dual quaternions (DLB), so that a twist keeps
 * its radius. Joints that scale or shear take two phases: first their stretches about the joint's
 * bind position are blended linearly, then the rigid rest as dual quaternions (METHODS 0.4).
 * Source: Kavan, Collins, Zara, O'Sullivan. Geometric Skinning with Approximate Dual Quaternion
 * Blending. ACM TOG 27(4), 2008. METHODS A11. */
#include "skin/exact.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/rigid.h"

/* A palette entry: real part, dual part, stretch (see rigid.h). */
#define ENTRY_FLOATS 24

enum { SIGN, SCALE, RIGID_FROM };

skin_kernel dqs_skin, dqs_skin_avx2;

static const struct field real_field = {ENTRY_FLOATS, 0};
static const struct field dual_field = {ENTRY_FLOATS, 4};
static const struct field stretch_field = {ENTRY_FLOATS, 8};

/* Exact normals: how the rotation and the translation 2 vec(d r*) / |r|^2 move with each weight. */
KERNEL void skin_exact(const struct block *block, const struct motion *motion, enum skin_sign sign,
	bool stretched, const struct lanes_matrix *m, struct surface *surface) {
	struct lanes_matrix j = exact_begin(block, stretched, stretch_field, m);
	const struct lanes4 pivot = block_gather(block, 0, real_field);
	const struct lanes3 turned = lanes3_subtract(surface->position, m->b);
	const lanes one = (lanes){0} + 1.0f;
	const lanes by = motion_rate_scale(motion_sum(block, real_field, dual_field, sign).real);
	for (int k = 0; k < block->influence_count; k++) {
		struct lanes4 real = block_gather(block, k, real_field);
		const lanes s = motion_weights(sign, one, real, pivot);
		real = lanes4_scale(real, s);
		const struct lanes4 dual = lanes4_scale(block_gather(block, k, dual_field), s);
		const struct lanes3 turn = motion_turn_rate(real, motion->real, by);
		const struct lanes3 moved =
			lanes3_subtract(motion_turn_rate(dual, motion->real, by),
				motion_turn_rate(real, motion->dual, by));
		const struct lanes3 kept = lanes3_scale(m->b, lanes4_dot(real, motion->real) * by);
		exact_add(block, k,
			lanes3_add(lanes3_cross(turn, turned), lanes3_subtract(moved, kept)), &j);
	}
	exact_finish(block, &j, surface);
}

KERNEL void skin_block(const struct block *block, enum skin_sign sign, bool stretched, bool exact) {
	struct surface s = surface_stretched(block, stretch_field, stretched);
	const struct motion motion = motion_blend(block, real_field, dual_field, sign);
	const struct lanes_matrix m = motion_matrix(motion);
	surface_move(&m, &s);
	if (exact) {
		skin_exact(block, &motion, sign, stretched, &m, &s);
	}
	surface_put(block, &s);
}

/* exact is a constant where this is inlined: a kernel that can do both is slower at either. */
KERNEL void skin_all(const struct skin_job *job, const struct primitive *primitive, bool exact) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum skin_sign sign = (enum skin_sign)job->options->values[SIGN];
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, sign, stretched, exact);
	}
}

LANES_TARGET void LANES_NAME(dqs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	if (job->gradients) {
		skin_all(job, primitive, true);
	} else {
		skin_all(job, primitive, false);
	}
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

static void write_entry(const struct prepare_job *job, int slot, float *entry) {
	rigid_write_motion(&job->joints[slot], entry);
}

const struct skinning_method dqs_method = {
	.id = "dqs",
	.title = "dual quaternion skinning: rigid motions blended by weight, no collapse in twists",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF | 1 << NORMALS_EXACT,
	.kernel =
		{
			.shader = "dqs.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = 8,
			.write_entry = write_entry,
			.skin = dqs_skin,
			.skin_avx2 = dqs_skin_avx2,
		},
};
#endif
