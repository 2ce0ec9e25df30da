// Distances between poses, and radial functions of them, from exactly rounded operations only.
#include "fit/metric.h"

#include <math.h>

#include "base/angle.h"
#include "base/decay.h"
#include "base/quat.h"
#include "base/vec.h"

double metric_arc(const double a[static 3], const double b[static 3]) {
	double across[3];
	vec3_cross(a, b, across);
	return angle_direction(vec3_length(across), vec3_dot(a, b));
}

double metric_chord(const double a[static 3], const double b[static 3]) {
	double between[3];
	vec3_sub(a, b, between);
	return vec3_length(between);
}

double metric_angle(const double a[static 4], const double b[static 4]) {
	double inverse[4], between[4];
	quat_conjugate(a, inverse);
	quat_multiply(inverse, b, between);
	return 2 * angle_direction(vec3_length(between), fabs(between[3]));
}

double kernel_gaussian(double distance, double width) {
	const double share = distance / width;
	return decay_exp(share * share);
}

double kernel_bspline(double distance, double width) {
	const double t = distance / width;
	if (t < 1) {
		return 2.0 / 3 - t * t + t * t * t / 2;
	}
	return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}
