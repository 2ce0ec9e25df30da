// Poses of cyl2's joints as matrices, and rotations.
#include "motions.h"

#include <math.h>
#include <string.h>

void motion_make(const double axis[3], double degrees, const double translation[3], double m[12]) {
	const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
	const double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
	const double angle = degrees * 3.14159265358979323846 / 180;
	const double c = cos(angle), s = sin(angle), k = 1 - c;
	const double rows[12] = {x * x * k + c, x * y * k - z * s, x * z * k + y * s,
		translation[0], y * x * k + z * s, y * y * k + c, y * z * k - x * s, translation[1],
		z * x * k - y * s, z * y * k + x * s, z * z * k + c, translation[2]};
	memcpy(m, rows, sizeof rows);
}

struct motions motions_turned(double x, double y, double z, double degrees) {
	struct motions motions;
	const double axis[3] = {x, y, z}, none[3] = {0};
	motion_make(axis, 0, none, motions.m[0]);
	motion_make(axis, degrees, none, motions.m[1]);
	// About (0, 1, 0).
	for (int i = 0; i < 3; i++) {
		motions.m[1][i * 4 + 3] = (i == 1) - motions.m[1][i * 4 + 1];
	}
	return motions;
}

struct motions motions_rigid(const double m[12]) {
	struct motions motions;
	memcpy(motions.m[0], m, sizeof motions.m[0]);
	memcpy(motions.m[1], m, sizeof motions.m[1]);
	return motions;
}

void motion_map(const double m[12], const double v[3], double out[3]) {
	const double at[3] = {v[0], v[1], v[2]};
	for (int i = 0; i < 3; i++) {
		out[i] = m[i * 4] * at[0] + m[i * 4 + 1] * at[1] + m[i * 4 + 2] * at[2] +
			m[i * 4 + 3];
	}
}

void motions_blend(const struct motions *motions, double w, const double v[3], double out[3]) {
	double a[3], b[3];
	motion_map(motions->m[0], v, a);
	motion_map(motions->m[1], v, b);
	for (int i = 0; i < 3; i++) {
		out[i] = (1 - w) * a[i] + w * b[i];
	}
}

/* Newton's iteration R <- (R + R^-T) / 2. */
void nearest_rotation(const double a[9], double out[9]) {
	memcpy(out, a, 9 * sizeof *out);
	for (int step = 0; step < 100; step++) {
		double cofactor[9], det = 0;
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, c = i % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
			const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
			cofactor[i] = out[r1 * 3 + c1] * out[r2 * 3 + c2] -
				out[r1 * 3 + c2] * out[r2 * 3 + c1];
		}
		for (int i = 0; i < 3; i++) {
			det += out[i] * cofactor[i];
		}
		for (int i = 0; i < 9; i++) {
			out[i] = (out[i] + cofactor[i] / det) / 2;
		}
	}
}
