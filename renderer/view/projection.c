// Projections and their planes.
#include "view/projection.h"

#include <math.h>
#include <string.h>

bool projection_is_orthographic(const double projection[static 16]) {
	return projection[3] == 0 && projection[7] == 0 && projection[11] == 0;
}

void projection_set_depth(double projection[static 16], double near, double far) {
	if (projection_is_orthographic(projection)) {
		projection[10] = -2 / (far - near);
		projection[14] = -(far + near) / (far - near);
	} else if (isinf(far)) {
		projection[10] = -1;
		projection[14] = -2 * near;
	} else {
		projection[10] = -(far + near) / (far - near);
		projection[14] = -2 * far * near / (far - near);
	}
}

void projection_depth(const double projection[static 16], double *near, double *far) {
	const double scale = projection[10], offset = projection[14];
	if (projection_is_orthographic(projection)) {
		*near = (1 + offset) / scale;
		*far = (offset - 1) / scale;
	} else {
		*near = offset / (scale - 1);
		*far = scale == -1 ? INFINITY : offset / (scale + 1);
	}
}

void projection_perspective(
	const double slopes[static 2], double near, double far, double projection[static 16]) {
	memset(projection, 0, 16 * sizeof *projection);
	projection[0] = 1 / slopes[0];
	projection[5] = 1 / slopes[1];
	projection[11] = -1;
	projection_set_depth(projection, near, far);
}

void projection_orthographic(
	const double half[static 2], double near, double far, double projection[static 16]) {
	memset(projection, 0, 16 * sizeof *projection);
	projection[0] = 1 / half[0];
	projection[5] = 1 / half[1];
	projection[15] = 1;
	projection_set_depth(projection, near, far);
}

/* Exchanges columns so that the greatest number of a row, from a column on, stands there. */
static double bring_greatest(double m[static 16], int at) {
	int greatest = at;
	for (int column = at + 1; column < 4; column++) {
		if (fabs(m[column * 4 + at]) > fabs(m[greatest * 4 + at])) {
			greatest = column;
		}
	}
	for (int row = 0; row < 4; row++) {
		const double kept = m[at * 4 + row];
		m[at * 4 + row] = m[greatest * 4 + row];
		m[greatest * 4 + row] = kept;
	}
	return m[at * 4 + at];
}

bool projection_is_invertible(const double projection[static 16]) {
	double m[16];
	memcpy(m, projection, sizeof m);
	for (int at = 0; at < 4; at++) {
		const double pivot = bring_greatest(m, at);
		if (!isfinite(pivot) || pivot == 0) {
			return false;
		}
		for (int column = at + 1; column < 4; column++) {
			const double share = m[column * 4 + at] / pivot;
			for (int row = 0; row < 4; row++) {
				m[column * 4 + row] -= share * m[at * 4 + row];
			}
		}
	}
	return true;
}

void projection_multiply(
	const double a[static 16], const double b[static 16], double out[static 16]) {
	for (int column = 0; column < 4; column++) {
		for (int row = 0; row < 4; row++) {
			double sum = 0;
			for (int k = 0; k < 4; k++) {
				sum += a[k * 4 + row] * b[column * 4 + k];
			}
			out[column * 4 + row] = sum;
		}
	}
}
