/* Stitching: each vertex goes with the joint of its greatest weight, v' = M v, and with no other.
 * Source: Woodland. Filling the Gaps: Advanced Animation Using Stitching and Skinning. Game
 * Programming Gems, 2000. METHODS A4. */
#include "skin/block.h"
#include "skin/methods.h"
#include "skin/normal.h"
#include "skin/palette.h"

#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

skin_kernel skin_rigid_skin, skin_rigid_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

KERNEL void skin_block(const struct block *block) {
	const struct lanes_matrix m = block_matrix_of(block, 0, matrix_field);
	block_put_position(block, lanes_map_point(&m, block_position(block)));
	const struct lanes3 n = block_normal(block);
	const struct lanes3 normal = normal_map(block->job->normals_by, block, &m,
		normal_palette_size_square(block), n, matrix_field);
	normal_put(block, &m, normal, block_has_tangents(block));
}

LANES_TARGET void LANES_NAME(skin_rigid_skin)(
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
	palette_write_matrices(job->matrices, job->rig->slot_count, palette, ENTRY_FLOATS);
	return true;
}

const struct skinning_method skin_rigid_method = {
	.id = "skin_rigid",
	.title = "stitching: each vertex moves with its strongest joint alone",
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.kernel =
		{
			.shader = "skin_rigid.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = prepare,
			.skin = skin_rigid_skin,
			.skin_avx2 = skin_rigid_skin_avx2,
		},
};
#endif
