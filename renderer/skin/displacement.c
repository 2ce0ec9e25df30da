// Rest vertices moved by what the pose says about them.
#include "skin/displacement.h"

#include <math.h>

/* At or below this squared length a normal counts as vanished, and stays as it was. */
#define LEAST_SQUARE 1e-20f

static void displace_normal(const float sum[static 3], float *normal) {
	float n[3];
	for (int k = 0; k < 3; k++) {
		n[k] = normal[k] + sum[k];
	}
	const float square = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
	const float length = sqrtf(square);
	for (int k = 0; k < 3 && square > LEAST_SQUARE; k++) {
		normal[k] = n[k] / length;
	}
}

void displacement_apply(const struct rig *rig, const struct skin_data *data,
	const float *coefficients, float *positions, float *normals) {
	const uint32_t *starts = skin_data_read_words(data, DISPLACEMENT_STARTS);
	const uint32_t *which = skin_data_read_words(data, DISPLACEMENT_COEFFICIENTS);
	const float *offsets = skin_data_read_floats(data, DISPLACEMENT_OFFSETS);
	for (size_t v = 0; v < (size_t)rig->vertex_count; v++) {
		float sum[6] = {0};
		for (uint32_t i = starts[v]; i < starts[v + 1]; i++) {
			for (int k = 0; k < 6; k++) {
				sum[k] +=
					coefficients[which[i]] * offsets[(size_t)i * 6 + (size_t)k];
			}
		}
		if (starts[v] < starts[v + 1]) {
			for (size_t k = 0; k < 3; k++) {
				positions[v * 3 + k] += sum[k];
			}
			displace_normal(sum + 3, normals + v * 3);
		}
	}
}
