// Sampling and looping checked against METHODS C.1's and C.5's numbers.
#include <string.h>

#include "base/loop.h"
#include "check.h"
#include "pose/sample/sampler.h"

static struct channel channel(enum channel_path path, enum interpolation interpolation,
	int key_count, const float *times, const float *values) {
	return (struct channel){
		.path = path,
		.interpolation = interpolation,
		.key_count = key_count,
		.width = path == CHANNEL_ROTATION ? 4 : 3,
		.times = times,
		.values = values,
	};
}

static const float times3[] = {1, 2, 4};
static const float values3[] = {0.1f, 0, 0, 1.1f, 5, 0, 3.1f, 9, 1};

static void first_and_last_value_hold_outside(void **state) {
	(void)state;
	for (int i = INTERPOLATION_STEP; i <= INTERPOLATION_LINEAR; i++) {
		const struct channel c =
			channel(CHANNEL_TRANSLATION, (enum interpolation)i, 3, times3, values3);
		float out[3];
		channel_sample(&c, -5, out);
		assert_memory_equal(out, values3, sizeof out);
		channel_sample(&c, 4.5, out);
		assert_memory_equal(out, values3 + 6, sizeof out);
	}
}

static void exact_key_is_returned_to_the_bit(void **state) {
	(void)state;
	for (int i = INTERPOLATION_STEP; i <= INTERPOLATION_LINEAR; i++) {
		const struct channel c =
			channel(CHANNEL_TRANSLATION, (enum interpolation)i, 3, times3, values3);
		for (int k = 0; k < 3; k++) {
			float out[3];
			channel_sample(&c, times3[k], out);
			assert_memory_equal(out, values3 + 3 * k, sizeof out);
		}
	}
}

static void single_key_is_constant(void **state) {
	(void)state;
	for (int i = INTERPOLATION_STEP; i <= INTERPOLATION_LINEAR; i++) {
		const struct channel c =
			channel(CHANNEL_TRANSLATION, (enum interpolation)i, 1, times3, values3);
		float out[3];
		for (double t = 0; t < 3; t += 0.5) {
			channel_sample(&c, t, out);
			assert_memory_equal(out, values3, sizeof out);
		}
	}
}

static void step_holds_until_the_next_key(void **state) {
	(void)state;
	const struct channel c =
		channel(CHANNEL_TRANSLATION, INTERPOLATION_STEP, 3, times3, values3);
	float out[3];
	channel_sample(&c, 1.999, out);
	assert_memory_equal(out, values3, sizeof out);
	channel_sample(&c, 3.999, out);
	assert_memory_equal(out, values3 + 3, sizeof out);
}

static void linear_lies_on_the_line(void **state) {
	(void)state;
	const struct channel c =
		channel(CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 3, times3, values3);
	float out[3];
	channel_sample(&c, 2.5, out);
	assert_near(out[0], 1.6, 1e-6);
	assert_near(out[1], 6, 1e-6);
	assert_near(out[2], 0.25, 1e-6);
}

static void linear_rotation_is_slerp(void **state) {
	(void)state;
	const float times[] = {0, 1};
	const float values[] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f};
	const struct channel c = channel(CHANNEL_ROTATION, INTERPOLATION_LINEAR, 2, times, values);
	float out[4];
	channel_sample(&c, 0.25, out);
	assert_near(out[2], 0.195090322, 1e-7);
	assert_near(out[3], 0.980785280, 1e-7);
}

static void cubic_spline_has_the_known_values(void **state) {
	(void)state;
	// METHODS C.1: v = 0 -> 1, out-tangent 1, in-tangent 0, h = 2.
	const float times[] = {0, 2};
	const float values[] = {9, 9, 9, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 9, 9, 9};
	const struct channel c =
		channel(CHANNEL_TRANSLATION, INTERPOLATION_CUBIC_SPLINE, 2, times, values);
	const double expected[] = {0.4375, 0.75, 0.9375};
	for (int i = 0; i < 3; i++) {
		float out[3];
		channel_sample(&c, 0.5 * (i + 1), out);
		assert_near(out[0], expected[i], 1e-6);
	}
	float out[3];
	channel_sample(&c, 0, out);
	assert_near(out[0], 0, 0);
	channel_sample(&c, 2, out);
	assert_near(out[0], 1, 0);
}

static void cubic_spline_rotation_comes_out_unit(void **state) {
	(void)state;
	const float times[] = {0, 1};
	const float values[] = {
		0, 0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 2, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
	const struct channel c =
		channel(CHANNEL_ROTATION, INTERPOLATION_CUBIC_SPLINE, 2, times, values);
	for (double t = 0; t <= 1; t += 0.125) {
		float q[4];
		channel_sample(&c, t, q);
		assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-6);
	}
}

static void loops_have_the_known_times(void **state) {
	(void)state;
	// METHODS C.5, D = 2.
	assert_near(loop_time(LOOP_REPEAT, -0.5, 2), 1.5, 0);
	assert_near(loop_time(LOOP_REPEAT, 2, 2), 0, 0);
	assert_near(loop_time(LOOP_REPEAT, 2.5, 2), 0.5, 0);
	assert_near(loop_time(LOOP_PING_PONG, -0.5, 2), 0.5, 0);
	assert_near(loop_time(LOOP_PING_PONG, 2, 2), 2, 0);
	assert_near(loop_time(LOOP_PING_PONG, 2.5, 2), 1.5, 0);
	assert_near(loop_time(LOOP_PING_PONG, 4.5, 2), 0.5, 0);
	assert_near(loop_time(LOOP_CLAMP, -1, 2), 0, 0);
	assert_near(loop_time(LOOP_CLAMP, 3, 2), 2, 0);
	for (int loop = 0; loop < LOOP_COUNT; loop++) {
		assert_near(loop_time((enum loop)loop, 1.5, 0), 0, 0);
		assert_near(loop_time((enum loop)loop, 1.25, 2), 1.25, 0);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_last_value_hold_outside),
		cmocka_unit_test(exact_key_is_returned_to_the_bit),
		cmocka_unit_test(single_key_is_constant),
		cmocka_unit_test(step_holds_until_the_next_key),
		cmocka_unit_test(linear_lies_on_the_line),
		cmocka_unit_test(linear_rotation_is_slerp),
		cmocka_unit_test(cubic_spline_has_the_known_values),
		cmocka_unit_test(cubic_spline_rotation_comes_out_unit),
		cmocka_unit_test(loops_have_the_known_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
