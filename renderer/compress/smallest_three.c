// Quaternions by their three smallest components.
#include "compress/smallest_three.h"

#include <math.h>

static double greatest_number(int bits) {
	return (double)((1u << bits) - 1);
}

uint64_t smallest_three_pack(const double q[static 4], int bits) {
	int greatest = 0;
	for (int i = 1; i < 4; i++) {
		greatest = fabs(q[i]) > fabs(q[greatest]) ? i : greatest;
	}
	const double sign = q[greatest] < 0 ? -1 : 1, most = greatest_number(bits);
	uint64_t packed = (uint64_t)greatest;
	for (int i = 0; i < 4; i++) {
		if (i != greatest) {
			const double share = (sign * q[i] * M_SQRT2 + 1) / 2;
			const double number = round(fmax(0, fmin(1, share)) * most);
			packed = packed << bits | (uint64_t)number;
		}
	}
	return packed;
}

void smallest_three_unpack(uint64_t packed, int bits, double q[static 4]) {
	const int greatest = (int)(packed >> (3 * bits)) & 3;
	const double most = greatest_number(bits);
	double left = 1;
	for (int i = 3; i >= 0; i--) {
		if (i != greatest) {
			const double number = (double)(packed & ((1u << bits) - 1));
			q[i] = (2 * number / most - 1) / M_SQRT2;
			left -= q[i] * q[i];
			packed >>= bits;
		}
	}
	q[greatest] = sqrt(fmax(0, left));
}

double smallest_three_bound_rad(int bits) {
	/* A component is off by half a distance at most, three by sqrt(3) times that; the fourth,
	 * at least 1/2, makes up for them, which at most doubles it; and the angle is twice the
	 * distance of quaternions. */
	return 4 * sqrt(3) * (M_SQRT2 / greatest_number(bits)) / 2;
}
