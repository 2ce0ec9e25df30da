/* Linear blend skinning: v' = (sum of w_k M_k) v, blended first, then transformed once. Exact for
 * any affine M.
 * Sources: Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000. METHODS A5. */
#include "skin/block.h"
#include "skin/method.h"
#include "skin/methods/lbs_variants.h"
#include "skin/normal.h"
#include "skin/palette.h"

skin_kernel lbs_skin, lbs_skin_avx2;

static const struct field matrix_field = {LBS_ENTRY_FLOATS, 0};

KERNEL void skin_block(const struct block *block, enum normals by, bool tangents) {
	const struct lanes_matrix m = block_blend_matrices(block, matrix_field, NULL);
	const struct lanes3 v = block_position(block);
	block_put_position(block, lanes_map_point(&m, v));
	// The linear map of normals and tangents.
	const struct lanes_matrix map =
		by == NORMALS_EXACT ? normal_derivative(block, &m, v, matrix_field) : m;
	const struct lanes3 n = block_normal(block);
	const lanes size =
		by == NORMALS_EXACT ? normal_size_square(&map) : normal_palette_size_square(block);
	const struct lanes3 normal = normal_map(by, block, &map, size, n, matrix_field);
	normal_put(block, &map, normal, tangents);
}

KERNEL void skin(const struct skin_job *job, const struct primitive *primitive, enum normals by,
	bool tangents) {
	BLOCK_FOREACH(block, job, primitive, LBS_ENTRY_FLOATS) {
		skin_block(block, by, tangents);
	}
}

LANES_TARGET void LANES_NAME(lbs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const enum lbs_impl impl = (enum lbs_impl)job->options->values[LBS_OPTION_IMPL];
	if (impl != LBS_VSP3) {
		lbs_variant_skin(job, primitive, impl);
		return;
	}
	const bool cofactor = job->normals_by == NORMALS_OWN || job->normals_by == NORMALS_COF;
	if (cofactor && !job->out_tangents) {
		skin(job, primitive, NORMALS_COF, false); // constants: a tenth of the time
	} else {
		skin(job, primitive, job->normals_by, job->out_tangents);
	}
}

#ifndef LANES_AVX2
static const char *const impls[] = {
	[LBS_VSP3] = "vsp3",
	[LBS_SW] = "sw",
	[LBS_FFP1] = "ffp1",
	[LBS_FFP2] = "ffp2",
	[LBS_VSP1] = "vsp1",
	[LBS_VSP2] = "vsp2",
	[LBS_CG4M] = "cg4m",
	NULL,
};

static const char *const shaders[] = {
	[LBS_VSP3] = "lbs.comp",
	[LBS_SW] = NULL,
	[LBS_FFP1] = "lbs_ffp1.comp",
	[LBS_FFP2] = "lbs_ffp2.comp",
	[LBS_VSP1] = "lbs_vsp1.comp",
	[LBS_VSP2] = "lbs_vsp2.comp",
	[LBS_CG4M] = "lbs_cg4m.comp",
};

static const struct skin_option impl_option = {
	.name = "impl",
	.title = "how the work is done, not what comes of it: ways of 2005's hardware, to be "
		 "measured",
	.kind = SKIN_OPTION_CHOICE,
	.choices = impls,
	.standard = LBS_VSP3,
	.derives = true,
};

static const struct skin_option *const options[] = {[LBS_OPTION_IMPL] = &impl_option, NULL};

static const char *choose_shader(const struct skin_options *values) {
	return shaders[(int)values->values[LBS_OPTION_IMPL]];
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	const enum lbs_impl impl = (enum lbs_impl)job->options->values[LBS_OPTION_IMPL];
	const size_t count = (size_t)job->rig->slot_count;
	palette_write_matrices(job->matrices, (int)count, palette, LBS_ENTRY_FLOATS);
	lbs_write_batches(job, palette + count * LBS_ENTRY_FLOATS);
	return lbs_check_influences(job->rig, impl, err);
}

const struct skinning_method lbs_method = {
	.id = "lbs",
	.title = "linear blend skinning: matrices blended by weight",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF | 1 << NORMALS_EXACT,
	.recipe = &lbs_recipe,
	.kernel =
		{
			.shader = "lbs.comp",
			.choose_shader = choose_shader,
			.entry_floats = LBS_ENTRY_FLOATS,
			.extra_floats = lbs_extra_floats,
			.batches = lbs_batches,
			.prepare = prepare,
			.skin = lbs_skin,
			.skin_avx2 = lbs_skin_avx2,
		},
};
#endif
