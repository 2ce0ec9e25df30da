// Kernels of the C decoder of .pclip: symbols by vectors against a plain search, the exponential
// map and slerp against the functions of libm, and clips whose tracks say that they move but do
// not.
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "pclip_coder.h"
#include "pclip_motion.h"
#include "pclip_rotations.h"

#define NEAR 1e-15 // of doubles about 1, after a dozen operations

static void symbols_are_found_as_by_a_plain_search(void **state) {
	(void)state;
	static struct pclip_tables tables;
	pclip_fill_tables(&tables);
	for (int i = 0; i < PCLIP_TABLES; i++) {
		const uint16_t *first = tables.first[i];
		for (uint32_t number = 0; number < 1 << PCLIP_PROBABILITY_BITS; number++) {
			int expected = 0;
			while (first[expected + 1] <= number) {
				expected++;
			}
			assert_int_equal(pclip_find_symbol(first, number), expected);
		}
	}
}

static double any(unsigned *seed) {
	*seed = *seed * 1664525 + 1013904223;
	return *seed / 2147483648.0 - 1;
}

static void any_unit(unsigned *seed, int count, double *out) {
	double sum = 0;
	for (int k = 0; k < count; k++) {
		out[k] = any(seed);
		sum += out[k] * out[k];
	}
	for (int k = 0; k < count; k++) {
		out[k] /= sqrt(sum);
	}
}

/* An axis times an angle, about the identity: the quaternion is axis * sin(angle / 2), cos(angle /
 * 2). Angles lie on both sides of where libm takes over, which is at 181 degrees. */
static void turns_are_those_of_libm(void **state) {
	(void)state;
	static const double angles[] = {0, 1e-200, 1e-12, 1e-5, 0.1, 1, 2, 3, 3.14159265358979,
		3.1622776, 3.1622777, 4, 6.28, 30, 1e6};
	enum { COUNT = 333 };
	const double base[4] = {0, 0, 0, 1};
	unsigned seed = 1;
	for (size_t i = 0; i < (sizeof angles / sizeof *angles) * COUNT; i++) {
		const double angle = i < COUNT
			? 3.17 * (double)i / COUNT
			: angles[i / COUNT] * (i % COUNT ? 1 + 1e-3 * any(&seed) : 1);
		double axis[3], vector[3], out[4];
		any_unit(&seed, 3, axis);
		for (int k = 0; k < 3; k++) {
			vector[k] = axis[k] * angle;
		}
		pclip_turn(vector, base, 1, out);
		for (int k = 0; k < 3; k++) {
			assert_near(out[k], axis[k] * sin(angle / 2), NEAR * fmax(1, angle));
		}
		assert_near(out[3], cos(angle / 2), NEAR * fmax(1, angle));
	}
}

/* As many at once as make vectors and a rest, each as alone. */
static void many_turn_as_one_does(void **state) {
	(void)state;
	enum { COUNT = 7 };
	double vectors[3 * COUNT], bases[4 * COUNT], out[4 * COUNT];
	unsigned seed = 2;
	for (int i = 0; i < COUNT; i++) {
		double base[4];
		any_unit(&seed, 4, base);
		for (int k = 0; k < 4; k++) {
			bases[k * COUNT + i] = base[k];
			vectors[(k % 3) * COUNT + i] = 3 * any(&seed);
		}
	}
	pclip_turn(vectors, bases, COUNT, out);
	for (int i = 0; i < COUNT; i++) {
		double vector[3], base[4], alone[4];
		for (int k = 0; k < 4; k++) {
			vector[k % 3] = vectors[(k % 3) * COUNT + i];
			base[k] = bases[k * COUNT + i];
		}
		pclip_turn(vector, base, 1, alone);
		for (int k = 0; k < 4; k++) {
			assert_near(out[k * COUNT + i], alone[k], NEAR);
		}
	}
}

/* From a quaternion to one that is so many radians away, or as far from its opposite. */
static void slerps_are_those_of_libm(void **state) {
	(void)state;
	unsigned seed = 3;
	for (int i = 0; i < 4000; i++) {
		const double angle = i % 2 ? 0.5 * (i / 4000.0) : 1.57 * (i / 4000.0);
		const double share = i % 7 ? 0.5 + 0.5 * any(&seed) : 0;
		double a[4], side[4], b[4], dot = 0, length = 0;
		float out[4];
		any_unit(&seed, 4, a);
		any_unit(&seed, 4, side);
		for (int k = 0; k < 4; k++) {
			dot += a[k] * side[k];
		}
		for (int k = 0; k < 4; k++) {
			side[k] -= dot * a[k];
			length += side[k] * side[k];
		}
		for (int k = 0; k < 4; k++) {
			side[k] /= sqrt(length);
			b[k] = (a[k] * cos(angle) + side[k] * sin(angle)) * (i % 3 ? 1 : -1);
		}
		pclip_slerp(a, b, share, 1, out);
		for (int k = 0; k < 4; k++) {
			const double exact =
				a[k] * cos(share * angle) + side[k] * sin(share * angle);
			/* A float32 has half a unit in its last place, here of numbers up to 1. */
			assert_near((double)out[k], exact, 0x1p-25 + 4e-14);
		}
	}
}

/* Tracks of class "moving" without a moving axis hold what is still, also between samples. */
static void tracks_without_moving_axes_are_still(void **state) {
	(void)state;
	const struct pclip_transform rest = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
	const struct pclip_track tracks[3] = {
		{.class = PCLIP_MOVING, .unit = -3, .still = {8, 0, 0}},
		{.class = PCLIP_MOVING, .unit = -1, .still = {1, 2, 3}},
		{.class = PCLIP_STILL, .unit = 0, .still = {1, 0, -1}}};
	struct pclip_transform out;
	struct pclip_motion motion;
	void *memory = malloc(pclip_motion_memory(1, 0));
	pclip_motion_start(&motion, tracks, 1, 0, &rest, memory);
	pclip_motion_pose(&motion, 0, 0.5, &out, NULL);
	assert_near((double)out.rotation[0], sin(0.5), 1e-7);
	assert_near((double)out.rotation[3], cos(0.5), 1e-7);
	const float translation[3] = {1.5, 3, 4.5}, scale[3] = {2, 1, 0};
	for (int k = 0; k < 3; k++) {
		assert_near((double)out.translation[k], (double)translation[k], 0);
		assert_near((double)out.scale[k], (double)scale[k], 0);
	}
	free(memory);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_found_as_by_a_plain_search),
		cmocka_unit_test(turns_are_those_of_libm),
		cmocka_unit_test(many_turn_as_one_does),
		cmocka_unit_test(slerps_are_those_of_libm),
		cmocka_unit_test(tracks_without_moving_axes_are_still),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
