// The palette of skin matrices.
#include "skin/palette.h"

#include "base/mat_lanes.h"

typedef void build_function(
	const struct rig *rig, const double (*world)[12], double (*matrices)[12]);
build_function build_palette, build_palette_avx2;

typedef void write_function(const double (*matrices)[12], int count, float *entries, int stride);
write_function write_matrices, write_matrices_avx2;

LANES_TARGET void LANES_NAME(build_palette)(
	const struct rig *rig, const double (*world)[12], double (*matrices)[12]) {
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		const struct mat_rows bind = mat_rows_load(slot->inverse_bind);
		mat_rows_multiply(world[slot->joint], &bind, matrices[i]);
	}
}

KERNEL void write_matrix(const double m[static 12], float entry[static PALETTE_MATRIX_FLOATS]) {
	for (int row = 0; row < 3; row++) {
		store4(narrow4(doubles4_load(m + row * 4)), entry + row * 4);
	}
	store4((floats4){0}, entry + 12);
}

LANES_TARGET void LANES_NAME(write_matrices)(
	const double (*matrices)[12], int count, float *entries, int stride) {
	for (int i = 0; i < count; i++) {
		write_matrix(matrices[i], entries + (size_t)i * (size_t)stride);
	}
#ifdef LANES_AVX2
	// gcc sees no wide register written, and leaves the state that slows down SSE after it.
	_mm256_zeroupper();
#endif
}

#ifndef LANES_AVX2

void palette_build(const struct rig *rig, const double (*world)[12], double (*matrices)[12]) {
	(LANES_CPU_HAS_AVX2() ? build_palette_avx2 : build_palette)(rig, world, matrices);
}

void palette_write_matrix(const double m[static 12], float entry[static PALETTE_MATRIX_FLOATS]) {
	write_matrix(m, entry);
}

void palette_write_matrices(const double (*matrices)[12], int count, float *entries, int stride) {
	(LANES_CPU_HAS_AVX2() ? write_matrices_avx2 : write_matrices)(
		matrices, count, entries, stride);
}

bool palette_prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	palette_write_matrices(job->matrices, job->rig->slot_count, palette, PALETTE_MATRIX_FLOATS);
	return true;
}

#endif
