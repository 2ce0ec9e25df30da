/* Linear blend skinning: v' = (sum of w_k M_k) v, blended first, then transformed once. Exact for
 * any affine M.
 * Sources: Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000. METHODS A5. */
#include "base/mat.h"
#include "skin/block.h"
#include "skin/methods.h"
#include "skin/normal.h"

/* A 4x4 matrix in columns. */
#define ENTRY_FLOATS 16

skin_kernel lbs_skin, lbs_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

/* The linear map of normals and tangents. */
KERNEL struct lanes_matrix surface_map(
	const struct block *block, const struct lanes_matrix *m, struct lanes3 v) {
	return block->job->normals_by == NORMALS_EXACT
		? normal_derivative(block, m, v, matrix_field)
		: *m;
}

KERNEL void skin_block(const struct block *block) {
	const struct lanes_matrix m = block_blend(block, matrix_field, NULL);
	const struct lanes3 v = block_position(block);
	block_put_position(block, lanes_map_point(&m, v));
	const struct lanes_matrix map = surface_map(block, &m, v);
	const struct lanes3 n = block_normal(block);
	const struct lanes3 normal = block->job->normals_by == NORMALS_SAME
		? normal_map_same(block, &map, n, matrix_field)
		: normal_map(block, &map, n, matrix_field);
	block_put_normal(block, normal);
	if (block_has_tangents(block)) {
		const struct lanes4 tangent = block_tangent(block);
		const struct lanes3 mapped = lanes_map_direction(&map, lanes3_of(tangent));
		block_put_tangent(block, normal_finish_tangent(normal, mapped), tangent.w);
	}
}

LANES_TARGET void LANES_NAME(lbs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	struct block block;
	for (block_begin(&block, job, primitive, ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		skin_block(&block);
	}
}

#ifndef LANES_AVX2
static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	for (int i = 0; i < job->rig->slot_count; i++) {
		mat_to_columns(job->matrices[i], palette + (size_t)i * ENTRY_FLOATS);
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
