/* Normals and tangents under a blended 4x4 matrix in columns; shared by the methods. METHODS B2,
 * 0.10. The order of operations is fixed: the AVX2 kernels repeat it. */
#pragma once

#include <math.h>
#include <stdbool.h>

/* Below this squared length a normal counts as vanished. */
#define NORMAL_LEAST_SQUARE 1e-20f

/* cof(A) n, not normalised, for the linear part A of the matrix m. With A's columns a0 a1 a2 this
 * is (nx a1 - ny a0) x a2 + nz (a0 x a1): two cross products instead of three. */
static inline void normal_cofactor(
	const float m[static 16], const float n[static 3], float out[static 3]) {
	const float *a0 = m, *a1 = m + 4, *a2 = m + 8;
	float u[3];
	for (int i = 0; i < 3; i++) {
		u[i] = n[0] * a1[i] - n[1] * a0[i];
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		const float side = u[j] * a2[k] - u[k] * a2[j];
		const float base = a0[j] * a1[k] - a0[k] * a1[j];
		out[i] = side + n[2] * base;
	}
}

/* Scales to length 1; false, and n as it was, when it has none. */
static inline bool normal_unit(float n[static 3]) {
	const float square = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
	if (!(square > NORMAL_LEAST_SQUARE)) {
		return false;
	}
	const float scale = 1.0f / sqrtf(square);
	for (int i = 0; i < 3; i++) {
		n[i] *= scale;
	}
	return true;
}

static inline void normal_map_direction(
	const float m[static 16], const float d[static 3], float out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = (m[i] * d[0] + m[8 + i] * d[2]) + m[4 + i] * d[1];
	}
}

/* What stands in for a vanished normal: the one under the pivot's matrix alone, else the normal of
 * the rest pose. out comes out unit. */
static inline void normal_of_pivot(
	const float pivot[static 16], const float n[static 3], float out[static 3]) {
	normal_cofactor(pivot, n, out);
	if (normal_unit(out)) {
		return;
	}
	normal_map_direction(pivot, n, out);
	if (!normal_unit(out)) {
		out[0] = n[0], out[1] = n[1], out[2] = n[2];
	}
}

/* Makes a mapped tangent unit and at right angles to the unit normal (Gram-Schmidt); where nothing
 * is left of it, any direction across the normal. */
static inline void normal_finish_tangent(const float n[static 3], float t[static 3]) {
	const float along = (n[0] * t[0] + n[1] * t[1]) + n[2] * t[2];
	for (int i = 0; i < 3; i++) {
		t[i] -= along * n[i];
	}
	if (normal_unit(t)) {
		return;
	}
	const int axis = fabsf(n[0]) < 0.6f ? 0 : 1;
	for (int i = 0; i < 3; i++) {
		t[i] = (i == axis ? 1.0f : 0.0f) - n[axis] * n[i];
	}
	normal_unit(t);
}
