/* Bones blending: the vertex turns about the joint where its bones meet by the mean of their
 * rotations on the sphere of unit quaternions: the great arc between two, at even speed, and of
 * more the point from which the weighted ways to them cancel. Vertices whose bones do not meet are
 * skinned by sbs and counted.
 * Source: Kavan, Zara. Real Time Skin Deformation with Bones Blending. WSCG 2003; for more than two
 * bones METHODS A9. */
#include "skin/centred.h"
#include "skin/lanes_angle.h"
#include "skin/methods.h"
#include "skin/options.h"

/* Steps towards the mean at most; two rotations need one. */
#define STEPS_MAX 5

/* A step shorter than this (squared, half of an angle) has arrived. */
#define ARRIVED_SQUARE 1e-13f

enum { FALLBACK, SCALE, RIGID_FROM };

skin_kernel bones_blend_skin, bones_blend_skin_avx2;

static const struct centred_sign by_pivot = {SKIN_SIGN_PIVOT, SKIN_SIGN_PIVOT};

/* The weighted mean of the ways from a unit quaternion to all rotations, as half a rotation vector.
 * Sums begin at 0, so influences without weight may be left out: they would not change a bit. */
KERNEL struct lanes3 mean_way(const struct block *block, struct lanes4 from) {
	const struct lanes4 back = angle_conjugate(from);
	const lanes zero = {0};
	struct lanes3 sum = {zero, zero, zero};
	for (int k = 0; k < block->influence_count; k++) {
		const lanes weight = block_weights(block, k);
		if (lanes_all(weight == 0)) {
			continue;
		}
		const struct lanes4 q = block_gather(block, k, centred_spin);
		const struct lanes3 way = angle_log(angle_shorter(angle_multiply(back, q)));
		sum = lanes3_add(sum, lanes3_scale(way, weight));
	}
	return sum;
}

/* Which vertices have more than two influences with weight. */
KERNEL lane_mask have_several(const struct block *block) {
	lanes rest = {0};
	for (int k = 2; k < block->influence_count; k++) {
		rest += block_weights(block, k);
	}
	return rest > 0;
}

/* The mean on the sphere, from the normalised sum; in sets of joints that stays as it is. */
KERNEL struct lanes4 mean_rotation(
	const struct block *block, const struct centre *centre, const struct spin *spin) {
	const lanes length = lanes_sqrt(lanes4_dot(spin->q, spin->q));
	const lane_mask several = have_several(block);
	lane_mask active = ~centre->spread;
	struct lanes4 q =
		lanes4_select(centre->spread, spin->q, lanes4_scale(spin->q, 1.0f / length));
	for (int i = 0; i < STEPS_MAX && !lanes_all(~active); i++) {
		const struct lanes3 way = mean_way(block, q);
		q = lanes4_select(active, angle_multiply(q, angle_exp(way)), q);
		active &= several & (lanes3_dot(way, way) > ARRIVED_SQUARE);
	}
	return q;
}

KERNEL void skin_block(const struct block *block, bool stretched) {
	struct surface s = surface_of(block);
	if (stretched) {
		stretch_surface(block, centred_stretch, &s);
	}
	struct centre centre = centred_centre(block);
	const struct spin spin = centred_blend(block, &centre, by_pivot);
	centred_spread(block, &centre);
	const struct lanes4 q = mean_rotation(block, &centre, &spin);
	const struct lanes_matrix m = centred_matrix(q, &centre);
	surface_move(&m, &s);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(bones_blend_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, centred_stretch);
	struct block block;
	for (block_begin(&block, job, primitive, CENTRES_ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		skin_block(&block, stretched);
	}
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[FALLBACK] = &skin_option_fallback,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	return centres_prepare(job, options, palette, err);
}

const struct skinning_method bones_blend_method = {
	.id = "bones_blend",
	.title = "bones blending: rotations interpolated at even speed about the joint where bones "
		 "meet",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &centres_of_joints,
	.kernel =
		{
			.shader = "bones_blend.comp",
			.entry_floats = CENTRES_ENTRY_FLOATS,
			.stretch_at = CENTRES_STRETCH_AT,
			.extra_floats = centres_extra_floats,
			.prepare = prepare,
			.skin = bones_blend_skin,
			.skin_avx2 = bones_blend_skin_avx2,
		},
};
#endif
