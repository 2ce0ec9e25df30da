// Joints against those above them.
#include "skin/motion.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"

/* Below this a quaternion's part along the axis and its real part tell no angle. */
#define TWIST_LEAST 1e-6

void turns_swing_twist(const double q[static 4], const double axis[static 3],
	double swing[static 4], double twist[static 4]) {
	double u[3] = {axis[0], axis[1], axis[2]}, back[4];
	const double along = vec3_normalize(u) ? vec3_dot(q, u) : 0;
	const double length = hypot(along, q[3]);
	const bool told = length >= TWIST_LEAST;
	for (int i = 0; i < 3; i++) {
		twist[i] = told ? u[i] * along / length : 0;
	}
	twist[3] = told ? q[3] / length : 1;
	quat_conjugate(twist, back);
	quat_multiply(q, back, swing);
}

void turns_matrix(const double q[static 4], double m[static 12]) {
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[12] = {
		1 - 2 * (y * y + z * z),
		2 * (x * y - z * w),
		2 * (x * z + y * w),
		0,
		2 * (x * y + z * w),
		1 - 2 * (x * x + z * z),
		2 * (y * z - x * w),
		0,
		2 * (x * z - y * w),
		2 * (y * z + x * w),
		1 - 2 * (x * x + y * y),
		0,
	};
	memcpy(m, rows, sizeof rows);
}
