// Points, directions and rotations from a request.
#include "pose/read.h"

#include <math.h>

#include "base/quat.h"
#include "base/vec.h"

bool read_point(const struct value *source, const double point[static 3], struct error *err) {
	for (int i = 0; source && i < 3; i++) {
		if (!isfinite((float)point[i])) {
			return value_error(&source->items[i], err, ERROR_INVALID_VALUE,
				"%g is farther than float32 reaches", point[i]);
		}
	}
	return true;
}

/* Divides by the greatest number, whose square may leave double's range; false where all are 0. */
static bool scale_down(double *numbers, int count) {
	double greatest = 0;
	for (int i = 0; i < count; i++) {
		greatest = fmax(greatest, fabs(numbers[i]));
	}
	for (int i = 0; i < count && greatest > 0; i++) {
		numbers[i] /= greatest;
	}
	return greatest > 0;
}

bool read_direction(const struct value *source, double direction[static 3], struct error *err) {
	if (source && !scale_down(direction, 3)) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"\"%s\" is zero, must be a direction", source->key);
	}
	return !source || vec3_normalize(direction);
}

bool read_rotation(const struct value *source, double rotation[static 4], struct error *err) {
	if (source && !scale_down(rotation, 4)) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"\"%s\" is zero, must be a quaternion [x, y, z, w] with a length",
			source->key);
	}
	if (source) {
		quat_normalize(rotation);
	}
	return true;
}

bool read_share(const struct value *source, double share, struct error *err) {
	return !source || (share >= 0 && share <= 1) ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"\"%s\" is %.15g, must be from 0 to 1", source->key, share);
}
