// Linear blend skinning as one would write it first, for the compiler at -O3 to do its best with.
#include "plain_loop.h"

#include <math.h>

#include "skin/palette.h"

void plain_loop(const struct rig *rig, const float *palette, float *positions, float *normals) {
	for (int i = 0; i < rig->vertex_count; i++) {
		float m[12] = {0};
		for (int k = 0; k < 4; k++) {
			const float weight = rig->influence_weights[i * 4 + k];
			const float *joint =
				palette + rig->influence_slots[i * 4 + k] * PALETTE_MATRIX_FLOATS;
			for (int e = 0; e < 12; e++) {
				m[e] += weight * joint[e];
			}
		}
		const float *v = rig->positions + i * 3, *n = rig->normals + i * 3;
		for (int row = 0; row < 3; row++) {
			const float *r = m + row * 4;
			positions[i * 3 + row] = r[0] * v[0] + r[1] * v[1] + r[2] * v[2] + r[3];
		}
		float mapped[3];
		for (int row = 0; row < 3; row++) {
			const float *a = m + (row + 1) % 3 * 4, *b = m + (row + 2) % 3 * 4;
			mapped[row] = (a[1] * b[2] - b[1] * a[2]) * n[0] +
				(a[2] * b[0] - b[2] * a[0]) * n[1] +
				(a[0] * b[1] - b[0] * a[1]) * n[2];
		}
		const float length = sqrtf(
			mapped[0] * mapped[0] + mapped[1] * mapped[1] + mapped[2] * mapped[2]);
		for (int row = 0; row < 3; row++) {
			normals[i * 3 + row] = mapped[row] / length;
		}
	}
}
