// The exponential function from exactly rounded operations only.
#include "base/decay.h"

#include <math.h>

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
