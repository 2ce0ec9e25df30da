// Linear blend skinning as one would write it first, for the compiler at -O3 to do its best with.
#include "plain_loop.h"

#include <math.h>

void plain_loop(const struct rig *rig, const float *palette, float *positions, float *normals) {
	for (int i = 0; i < rig->vertex_count; i++) {
		float m[16] = {0};
		for (int k = 0; k < 4; k++) {
			const float weight = rig->influence_weights[i * 4 + k];
			const float *joint = palette + rig->influence_slots[i * 4 + k] * 16;
			for (int e = 0; e < 16; e++) {
				m[e] += weight * joint[e];
			}
		}
		const float *v = rig->positions + i * 3, *n = rig->normals + i * 3;
		for (int row = 0; row < 3; row++) {
			positions[i * 3 + row] =
				m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2] + m[12 + row];
		}
		float mapped[3];
		for (int row = 0; row < 3; row++) {
			const int a = (row + 1) % 3, b = (row + 2) % 3;
			mapped[row] = (m[4 + a] * m[8 + b] - m[4 + b] * m[8 + a]) * n[0] +
				(m[8 + a] * m[b] - m[8 + b] * m[a]) * n[1] +
				(m[a] * m[4 + b] - m[b] * m[4 + a]) * n[2];
		}
		const float length = sqrtf(
			mapped[0] * mapped[0] + mapped[1] * mapped[1] + mapped[2] * mapped[2]);
		for (int row = 0; row < 3; row++) {
			normals[i * 3 + row] = mapped[row] / length;
		}
	}
}
