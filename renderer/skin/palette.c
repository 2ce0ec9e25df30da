// The palette of skin matrices.
#include "skin/palette.h"

#include "base/mat.h"

void palette_build(const struct rig *rig, const double (*world)[12], double (*matrices)[12]) {
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		mat_multiply(world[slot->joint], slot->inverse_bind, matrices[i]);
	}
}

void palette_write_matrix(const double m[static 12], float entry[static PALETTE_MATRIX_FLOATS]) {
	for (int i = 0; i < PALETTE_MATRIX_FLOATS; i++) {
		entry[i] = i < 12 ? (float)m[i] : 0;
	}
}
