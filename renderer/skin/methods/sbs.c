/* Spherical blend skinning: quaternions blended by weight turn the vertex about the centre of its
 * set of joints, the point that they move to places that differ least. Source: Kavan, Zara.
 * Spherical Blend Skinning: A Real-time Deformation of Articulated Models. I3D 2005. METHODS A10.
 */
#include "skin/centred.h"
#include "skin/method.h"
#include "skin/option.h"

enum { SIGN, SCALE, RIGID_FROM };

skin_kernel sbs_skin, sbs_skin_avx2;

LANES_TARGET void LANES_NAME(sbs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const enum skin_sign requested = (enum skin_sign)job->options->values[SIGN];
	const struct centred_sign sign = {.of_sets = requested, .of_joints = requested};
	centred_skin(job, primitive, sign);
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

const struct skinning_method sbs_method = {
	.id = "sbs",
	.title = "spherical blend skinning: rotations blended by weight about the centre of a "
		 "vertex' joints",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF | 1 << NORMALS_EXACT,
	.recipe = &centres_of_sets,
	.kernel =
		{
			.shader = "sbs.comp",
			.entry_floats = CENTRES_ENTRY_FLOATS,
			.stretch_at = CENTRES_STRETCH_AT,
			.extra_floats = centres_extra_floats,
			.prepare = centres_prepare,
			.skin = sbs_skin,
			.skin_avx2 = sbs_skin_avx2,
		},
};
#endif
