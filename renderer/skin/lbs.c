// Linear blend skinning on the CPU: blend the matrices first, then transform once.
#include "skin/lbs.h"

#include "base/mat.h"
#include "skin/block.h"
#include "skin/normal.h"

static const struct field matrix_field = {LBS_ENTRY_FLOATS, 0};

KERNEL void skin_block(const struct block *block) {
	const struct lanes_matrix m = block_blend(block, matrix_field, NULL);
	block_put_position(block, lanes_map_point(&m, block_position(block)));
	const struct lanes3 normal = normal_map(block, &m, block_normal(block), matrix_field);
	block_put_normal(block, normal);
	if (block_has_tangents(block)) {
		const struct lanes4 tangent = block_tangent(block);
		const struct lanes3 mapped = lanes_map_direction(&m, lanes3_of(tangent));
		block_put_tangent(block, normal_finish_tangent(normal, mapped), tangent.w);
	}
}

KERNEL void skin(const struct skin_job *job, const struct primitive *primitive) {
	struct block block;
	for (block_begin(&block, job, primitive, LBS_ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		skin_block(&block);
	}
}

#ifdef LANES_AVX2
LANES_TARGET void lbs_skin_avx2(const struct skin_job *job, const struct primitive *primitive) {
	skin(job, primitive);
}
#else
void lbs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette) {
	for (int i = 0; i < rig->slot_count; i++) {
		mat_to_columns(matrices[i], palette + (size_t)i * LBS_ENTRY_FLOATS);
	}
}

void lbs_skin(const struct skin_job *job, const struct primitive *primitive) {
	if (!job->plain && LANES_CPU_HAS_AVX2()) {
		lbs_skin_avx2(job, primitive);
	} else {
		skin(job, primitive);
	}
}
#endif
