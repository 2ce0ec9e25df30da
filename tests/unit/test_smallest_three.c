// Quaternions by their three smallest components: the greatest angle that is lost, over rotations
// at random and those that are worst, against the figures and the bound of METHODS D.2.
#include "base/quat.h"
#include "check.h"
#include "compress/smallest_three.h"

#define ROTATIONS 2000000

static double next_random(unsigned *seed) {
	*seed = *seed * 1664525 + 1013904223;
	return *seed / 4294967296.0;
}

static double angle_between(const double a[static 4], const double b[static 4]) {
	double inverse[4], between[4];
	quat_conjugate(a, inverse);
	quat_multiply(inverse, b, between);
	const double sine =
		sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
	return 2 * atan2(sine, fabs(between[3]));
}

static double loss(const double q[static 4], int bits) {
	double back[4], length = 0;
	const uint64_t packed = smallest_three_pack(q, bits);
	assert_true(packed >> (3 * bits + 2) == 0);
	smallest_three_unpack(packed, bits, back);
	for (int i = 0; i < 4; i++) {
		length += back[i] * back[i];
	}
	/* If the greatest is next to nothing longer than the others, their roundings may leave
	 * it more than the rest of 1, but not where all are within their range. */
	assert_near(length, 1, 1e-9);
	return angle_between(q, back);
}

/* Rotations whose components are all near 1/2, where the fourth makes up for most. */
static void near_half(unsigned *seed, double q[static 4]) {
	for (int i = 0; i < 4; i++) {
		q[i] = (next_random(seed) < 0.5 ? -1 : 1) *
			(0.5 + 0.02 * (next_random(seed) - 0.5));
	}
	quat_normalize(q);
}

static void anywhere(unsigned *seed, double q[static 4]) {
	for (int i = 0; i < 4; i++) {
		q[i] = next_random(seed) + next_random(seed) + next_random(seed) - 1.5;
	}
	quat_normalize(q);
}

static void rotations_lose_no_more_than_known(void **state) {
	(void)state;
	static const struct {
		int bits;
		double greatest; // METHODS D.2
	} expected[] = {{10, 4.66e-3}, {12, 1.15e-3}, {15, 1.42e-4}, {20, 4.5e-6}};
	assert_near(smallest_three_bound_rad(10), 4.79e-3, 5e-6);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const int bits = expected[i].bits;
		unsigned seed = 1;
		double greatest = 0, q[4];
		for (int k = 0; k < ROTATIONS; k++) {
			if (k % 4) {
				near_half(&seed, q);
			} else {
				anywhere(&seed, q);
			}
			greatest = fmax(greatest, loss(q, bits));
		}
		assert_true(greatest <= smallest_three_bound_rad(bits));
		assert_near(greatest / expected[i].greatest, 1, 0.05);
	}
}

static void signs_do_not_matter(void **state) {
	(void)state;
	unsigned seed = 5;
	for (int i = 0; i < 1000; i++) {
		double q[4], other[4];
		anywhere(&seed, q);
		for (int k = 0; k < 4; k++) {
			other[k] = -q[k];
		}
		assert_true(smallest_three_pack(q, 15) == smallest_three_pack(other, 15));
	}
	static const double axes[4][4] = {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
	for (int i = 0; i < 4; i++) {
		double back[4];
		smallest_three_unpack(smallest_three_pack(axes[i], 20), 20, back);
		assert_near(angle_between(axes[i], back), 0, 4e-6);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rotations_lose_no_more_than_known),
		cmocka_unit_test(signs_do_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
