/* Spherical joint blending: quaternions blended by weight turn the vertex about the joint in which
 * the bones meet that move it. Vertices whose bones do not meet are skinned by sbs, as it does by
 * itself, and counted.
 * Sources: Hejl. Hardware Skinning with Quaternions. Game Programming Gems 4, 2004; Houska.
 * METHODS A7. */
#include "skin/centred.h"
#include "skin/method.h"
#include "skin/option.h"

enum { SIGN, FALLBACK, SCALE, RIGID_FROM };

skin_kernel sjb_skin, sjb_skin_avx2;

LANES_TARGET void LANES_NAME(sjb_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const struct centred_sign sign = {.of_sets = SKIN_SIGN_PIVOT,
		.of_joints = (enum skin_sign)job->options->values[SIGN]};
	centred_skin(job, primitive, sign);
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign_hierarchy,
	[FALLBACK] = &skin_option_fallback,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

const struct skinning_method sjb_method = {
	.id = "sjb",
	.title = "spherical joint blending: rotations blended by weight about the joint where "
		 "bones meet",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF | 1 << NORMALS_EXACT,
	.recipe = &centres_of_joints,
	.kernel =
		{
			.shader = "sjb.comp",
			.entry_floats = CENTRES_ENTRY_FLOATS,
			.stretch_at = CENTRES_STRETCH_AT,
			.extra_floats = centres_extra_floats,
			.prepare = centres_prepare,
			.skin = sjb_skin,
			.skin_avx2 = sjb_skin_avx2,
		},
};
#endif
