// Unit quaternions.
#include "base/quat.h"

#include <math.h>

#include "base/angle.h"

static double dot4(const double a[static 4], const double b[static 4]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void quat_normalize(double q[static 4]) {
	const double length = sqrt(dot4(q, q));
	if (!(length > 1e-150)) {
		q[0] = q[1] = q[2] = 0;
		q[3] = 1;
		return;
	}
	for (int i = 0; i < 4; i++) {
		q[i] /= length;
	}
}

void quat_slerp(
	const double a[static 4], const double b[static 4], double u, double out[static 4]) {
	const double sign = dot4(a, b) < 0 ? -1 : 1;
	double difference[4], sum[4];
	for (int i = 0; i < 4; i++) {
		difference[i] = sign * b[i] - a[i];
		sum[i] = sign * b[i] + a[i];
	}
	// Half the angle from the chords: exact for small angles, where an arc cosine is not.
	const double chord = sqrt(dot4(difference, difference));
	const double angle = 2 * angle_atan2(chord, sqrt(dot4(sum, sum)));
	double from = 1 - u, to = u;
	if (angle > 1e-6) {
		const double whole = angle_sin(angle);
		from = angle_sin((1 - u) * angle) / whole;
		to = angle_sin(u * angle) / whole;
	}
	for (int i = 0; i < 4; i++) {
		out[i] = from * a[i] + to * sign * b[i];
	}
	quat_normalize(out);
}
