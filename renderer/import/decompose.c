// Matrices of nodes -> translation, rotation and scale.
#include "import/decompose.h"

#include <math.h>

#include "base/mat.h"
#include "base/vec.h"

static double max3(const double a[static 3]) {
	return fmax(a[0], fmax(a[1], a[2]));
}

/* The rotation left when scale is taken out of the columns of m. */
static void rotation_of(
	const double m[static 12], const double scale[static 3], double rotation[static 4]) {
	double rows[9], stretch[9];
	if (!(fmin(fabs(scale[0]), fmin(scale[1], scale[2])) > 1e-9 * max3(scale))) {
		mat_polar(m, rotation, stretch); // completes what a scale of 0 has taken
		return;
	}
	for (int i = 0; i < 9; i++) {
		rows[i] = m[i / 3 * 4 + i % 3] / scale[i % 3];
	}
	mat_to_quaternion(rows, rotation);
}

double decompose(const double m[static 12], struct transform *out) {
	double scale[3], rotation[4], again[12];
	for (int column = 0; column < 3; column++) {
		const double axis[3] = {m[column], m[4 + column], m[8 + column]};
		scale[column] = vec3_length(axis);
	}
	const double greatest = max3(scale);
	if (mat_determinant(m) < 0) {
		scale[0] = -scale[0];
	}
	rotation_of(m, scale, rotation);
	for (int i = 0; i < 4; i++) {
		out->rotation[i] = (float)rotation[i];
	}
	for (int i = 0; i < 3; i++) {
		out->translation[i] = (float)m[i * 4 + 3];
		out->scale[i] = (float)scale[i];
	}
	mat_from_transform(out->translation, out->rotation, out->scale, again);
	double worst = 0;
	for (int i = 0; i < 12; i++) {
		worst = i % 4 == 3 ? worst : fmax(worst, fabs(again[i] - m[i]));
	}
	return greatest > 0 ? worst / greatest : 0;
}
