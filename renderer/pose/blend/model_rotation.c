// Rotations in the model's space.
#include "pose/blend/model_rotation.h"

#include <string.h>

#include "base/quat.h"

void model_rotation_local(const struct pose *pose, int joint, double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = pose->local[joint].rotation[i];
	}
	quat_normalize(out);
}

void model_rotation_below(const double *above, const double local[static 4], double out[static 4]) {
	if (above) {
		quat_multiply(above, local, out);
		quat_normalize(out);
	} else {
		memmove(out, local, 4 * sizeof *out);
	}
}

void model_rotation_write(
	const double *above, const double model[static 4], int joint, struct pose *pose) {
	double local[4], inverse[4];
	memcpy(local, model, sizeof local);
	if (above) {
		quat_conjugate(above, inverse);
		quat_multiply(inverse, model, local);
	}
	quat_normalize(local);
	for (int i = 0; i < 4; i++) {
		pose->local[joint].rotation[i] = (float)local[i];
	}
}
