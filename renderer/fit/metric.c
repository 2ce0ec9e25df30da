// Distances between poses, and radial functions of them, from exactly rounded operations only.
#include "fit/metric.h"

#include <math.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/vec.h"

#define PI 3.14159265358979323846

/* The angle in [0, pi] of a point with y >= 0; 0 for the origin. */
static double upper_angle(double y, double x) {
	if (!(y > 0)) {
		return x < 0 ? PI : 0;
	}
	return x < 0 ? PI - angle_atan2(y, -x) : angle_atan2(y, x);
}

double metric_arc(const double a[static 3], const double b[static 3]) {
	double across[3];
	vec3_cross(a, b, across);
	return upper_angle(vec3_length(across), vec3_dot(a, b));
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
	return 2 * upper_angle(vec3_length(between), fabs(between[3]));
}

void metric_rotation_vector(const double q[static 4], double out[static 3]) {
	const double length = vec3_length(q), sign = q[3] < 0 ? -1 : 1;
	const double angle = 2 * upper_angle(length, fabs(q[3]));
	for (int i = 0; i < 3; i++) {
		out[i] = length > 1e-12 ? sign * angle * q[i] / length : 0;
	}
}

/* exp(-x) for x >= 0, to a few units of the last place: exp(-x) = 2^-n exp(-r), |r| <= ln 2 / 2. */
static double exp_negative(double x) {
	if (!(x < 700)) {
		return 0;
	}
	// ln 2 in two parts, the first with so few bits that n times it is exact.
	const double n = floor(x * 1.44269504088896340736 + 0.5);
	const double r = x - n * 0x1.62e42fee00000p-1 - n * 0x1.a39ef35793c76p-33;
	double sum = 1;
	for (int k = 15; k >= 1; k--) {
		sum = 1 - r / k * sum;
	}
	return ldexp(sum, -(int)n);
}

double kernel_gaussian(double distance, double width) {
	const double share = distance / width;
	return exp_negative(share * share);
}

double kernel_bspline(double distance, double width) {
	const double t = distance / width;
	if (t < 1) {
		return 2.0 / 3 - t * t + t * t * t / 2;
	}
	return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}
