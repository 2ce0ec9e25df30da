// Easing curves of a change.
#include "pose/blend/easing.h"

#include <math.h>

#include "base/elementary.h"

const char *const easing_names[EASING_COUNT + 1] = {
	[EASING_LINEAR] = "linear",
	[EASING_SMOOTH] = "smooth",
	[EASING_SMOOTHER] = "smoother",
	[EASING_COS] = "cos",
	[EASING_EXP] = "exp",
};

/* 2^y for y in [0, 10], from exactly rounded operations only: the C library's may differ by
 * machine. */
static double power_of_two(double y) {
	const double whole = floor(y), ln2 = 0.69314718055994530942;
	const double x = (y - whole) * ln2;
	// Taylor's series in Horner's form: the next term is below 1e-18 at ln 2.
	double sum = 1;
	for (int n = 17; n >= 1; n--) {
		sum = 1 + x / n * sum;
	}
	return ldexp(sum, (int)whole);
}

/* From 0 to 1 ever faster. */
static double exponential(double x) {
	return (power_of_two(10 * x) - 1) / 1023;
}

double easing_share(enum easing easing, double share) {
	if (!(share > 0)) {
		return 0;
	}
	if (share >= 1) {
		return 1;
	}
	const double x = share, right_angle = 1.57079632679489661923;
	const double sine = angle_sin(x * right_angle);
	switch (easing) {
	case EASING_SMOOTH:
		return x * x * (3 - 2 * x);
	case EASING_SMOOTHER:
		return x * x * x * (x * (6 * x - 15) + 10);
	case EASING_COS:
		return sine * sine;
	case EASING_EXP:
		return x < 0.5 ? exponential(2 * x) / 2 : 1 - exponential(2 - 2 * x) / 2;
	case EASING_LINEAR:
	case EASING_COUNT:
		break;
	}
	return x;
}
