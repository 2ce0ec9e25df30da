/* Stitching: each vertex goes with the joint of its greatest weight, v' = M v, and with no other.
 * Source: Woodland. Filling the Gaps: Advanced Animation Using Stitching and Skinning. Game
 * Programming Gems, 2000. METHODS A4. */
#include "skin/block.h"
#include "skin/method.h"
#include "skin/normal.h"
#include "skin/palette.h"

#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

skin_kernel skin_rigid_skin, skin_rigid_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

KERNEL void skin_block(const struct block *block) {
	const struct lanes_matrix m = block_matrix_of(block, 0, matrix_field);
	normal_put_mapped(block, &m, matrix_field);
}

LANES_TARGET void LANES_NAME(skin_rigid_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block);
	}
}

#ifndef LANES_AVX2
const struct skinning_method skin_rigid_method = {
	.id = "skin_rigid",
	.title = "stitching: each vertex moves with its strongest joint alone",
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.kernel =
		{
			.shader = "skin_rigid.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = palette_prepare,
			.skin = skin_rigid_skin,
			.skin_avx2 = skin_rigid_skin_avx2,
		},
};
#endif
