// Rotations between two keys, checked against the formula of slerp.
#include "pose/sample/interpolate.h"

#include <string.h>

#include "check.h"
#include "rigs.h"

/* The same track in every lane. */
static struct transform rotation_between(const float keys[static 8], double share) {
	struct track_rotations block = {{0}, {0}};
	for (int i = 0; i < TRACK_LANES; i++) {
		block.values[i] = keys;
	}
	struct slerp slerp = slerp_make(share);
	struct transform out;
	interpolate_rotations(&block, 1, (struct track_step){0, 4}, &slerp, &out);
	return out;
}

/* From no rotation to one whose quaternion is so many degrees away. */
static void make_keys(double degrees, float keys[static 8]) {
	struct transform ends[2] = {TRANSFORM_IDENTITY, TRANSFORM_IDENTITY};
	set_rotation(&ends[1], 0.6, 0, 0.8, 2 * degrees);
	memcpy(keys, ends[0].rotation, 16);
	memcpy(keys + 4, ends[1].rotation, 16);
}

static void slerp_is_exact_at_every_angle(void **state) {
	(void)state;
	for (double degrees = 0; degrees < 180; degrees += 0.37) {
		float keys[8];
		make_keys(degrees, keys);
		for (double share = 0.05; share < 1; share += 0.1) {
			const struct transform out = rotation_between(keys, share);
			const double shorter = degrees <= 90 ? degrees : degrees - 180;
			const double angle = share * shorter * 3.14159265358979323846 / 180;
			assert_near(out.rotation[0], 0.6 * sin(angle), 1e-7);
			assert_near(out.rotation[2], 0.8 * sin(angle), 1e-7);
			assert_near(out.rotation[3], cos(angle), 1e-7);
		}
	}
}

/* As files have them: the square of what keys are off is left, and what single precision rounds. */
static void keys_that_are_almost_unit_come_out_unit(void **state) {
	(void)state;
	for (double degrees = 15; degrees < 60; degrees += 0.37) {
		float keys[8];
		make_keys(degrees, keys);
		for (int i = 0; i < 8; i++) {
			keys[i] *= 1.0001f;
		}
		const struct transform out = rotation_between(keys, 0.3);
		double square = 0;
		for (int i = 0; i < 4; i++) {
			square += (double)out.rotation[i] * out.rotation[i];
		}
		assert_near(sqrt(square), 1, 1.5 * 1e-8 + 1e-7);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slerp_is_exact_at_every_angle),
		cmocka_unit_test(keys_that_are_almost_unit_come_out_unit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
