// Sine, arc tangent and exponential function from exactly rounded operations only.
#include "base/elementary.h"

#include <assert.h>
#include <math.h>

double angle_sin(double angle_rad) {
	assert(angle_rad >= -1e-9 && angle_rad < 1.6);
	// Taylor's series up to x^23, in Horner's form: the next term is below 1e-19 at pi/2.
	const double square = angle_rad * angle_rad;
	double sum = 1;
	for (int n = 22; n >= 2; n -= 2) {
		sum = 1 - square / (n * (n + 1)) * sum;
	}
	return angle_rad * sum;
}

void angle_sine_cosine(double turns, double *sine, double *cosine) {
	const double quarters = 4 * (turns - floor(turns));
	const double quarter = floor(quarters);
	const double share = quarters - quarter, right_angle = 1.57079632679489661923;
	const double s = angle_sin(share * right_angle), c = angle_sin((1 - share) * right_angle);
	const double sines[4] = {s, c, -s, -c};
	assert(quarter >= 0 && quarter < 4);
	*sine = sines[(int)quarter];
	*cosine = sines[((int)quarter + 1) % 4];
}

double angle_atan2(double y, double x) {
	assert(x >= 0 && y >= 0 && x + y > 0);
	// Halve the angle three times, tan(a/2) = y / (x + r), until its tangent is at most 0.1989.
	for (int halving = 0; halving < 3; halving++) {
		const double radius = sqrt(x * x + y * y);
		x += radius;
	}
	const double tangent = y / x;
	const double square = tangent * tangent;
	double sum = 0;
	for (int n = 25; n >= 1; n -= 2) {
		sum = 1.0 / n - square * sum;
	}
	return 8 * tangent * sum;
}

double angle_direction(double y, double x) {
	const double pi = 3.14159265358979323846, sign = y < 0 ? -1 : 1;
	if (!(fabs(y) > 1e-150)) {
		return x < 0 ? pi : 0;
	}
	return sign * (x < 0 ? pi - angle_atan2(fabs(y), -x) : angle_atan2(fabs(y), x));
}

double decay_exp(double x) {
	if (!(x < 700)) {
		return 0;
	}
	// exp(-x) = 2^-n exp(-r), |r| <= ln 2 / 2. ln 2 in two parts, the first with so few bits
	// that n times it is exact.
	const double n = floor(x * 1.44269504088896340736 + 0.5);
	const double r = x - n * 0x1.62e42fee00000p-1 - n * 0x1.a39ef35793c76p-33;
	double sum = 1;
	for (int k = 15; k >= 1; k--) {
		sum = 1 - r / k * sum;
	}
	return ldexp(sum, -(int)n);
}
