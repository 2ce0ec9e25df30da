/* Linear blend skinning: v' = (sum of w_k M_k) v, blended first, then transformed once. Exact for
 * any affine M.
 * Sources: Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000. METHODS A5. */
#include "skin/block.h"
#include "skin/methods.h"
#include "skin/normal.h"
#include "skin/palette.h"

#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

skin_kernel lbs_skin, lbs_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

KERNEL void skin_block(const struct block *block, enum normals by, bool tangents) {
	const struct lanes_matrix m = block_blend_matrices(block, matrix_field, NULL);
	const struct lanes3 v = block_position(block);
	block_put_position(block, lanes_map_point(&m, v));
	// The linear map of normals and tangents.
	const struct lanes_matrix map =
		by == NORMALS_EXACT ? normal_derivative(block, &m, v, matrix_field) : m;
	const struct lanes3 n = block_normal(block);
	const struct lanes3 normal = by == NORMALS_SAME
		? normal_map_same(block, &map, n, matrix_field)
		: normal_map(block, &map, n, matrix_field);
	block_put_normal(block, normal);
	if (tangents) {
		const struct lanes4 tangent = block_tangent(block);
		const struct lanes3 mapped = lanes_map_direction(&map, lanes3_of(tangent));
		block_put_tangent(block, normal_finish_tangent(normal, mapped), tangent.w);
	}
}

KERNEL void skin(const struct skin_job *job, const struct primitive *primitive, enum normals by,
	bool tangents) {
	struct block block;
	for (block_begin(&block, job, primitive, ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		skin_block(&block, by, tangents);
	}
}

LANES_TARGET void LANES_NAME(lbs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool cofactor = job->normals_by == NORMALS_OWN || job->normals_by == NORMALS_COF;
	if (cofactor && !job->out_tangents) {
		skin(job, primitive, NORMALS_COF, false); // constants: a tenth of the time
	} else {
		skin(job, primitive, job->normals_by, job->out_tangents);
	}
}

#ifndef LANES_AVX2
static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	for (int i = 0; i < job->rig->slot_count; i++) {
		palette_write_matrix(job->matrices[i], palette + (size_t)i * ENTRY_FLOATS);
	}
	return true;
}

const struct skinning_method lbs_method = {
	.id = "lbs",
	.title = "linear blend skinning: matrices blended by weight",
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF | 1 << NORMALS_EXACT,
	.kernel =
		{
			.shader = "lbs.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = prepare,
			.skin = lbs_skin,
			.skin_avx2 = lbs_skin_avx2,
		},
};
#endif
