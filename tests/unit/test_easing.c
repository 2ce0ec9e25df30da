// Easings: METHODS C.7's numbers, and what holds for all.
#include "pose/blend/easing.h"

#include "check.h"

static void ends_and_middle_are_exact(void **state) {
	(void)state;
	for (int easing = 0; easing < EASING_COUNT; easing++) {
		assert_non_null(easing_names[easing]);
		const double outside[] = {-1e300, -1, -0.0, 0, NAN};
		for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
			assert_near(easing_share((enum easing)easing, outside[i]), 0, 0);
		}
		assert_near(easing_share((enum easing)easing, 1), 1, 0);
		assert_near(easing_share((enum easing)easing, 1e300), 1, 0);
		assert_near(easing_share((enum easing)easing, 0.5), 0.5, 1e-15);
	}
	assert_null(easing_names[EASING_COUNT]);
}

static void quarters_have_the_known_values(void **state) {
	(void)state;
	static const double quarters[EASING_COUNT] = {
		[EASING_LINEAR] = 0.25,
		[EASING_SMOOTH] = 0.15625,
		[EASING_SMOOTHER] = 0.103515625,
		[EASING_COS] = 0.14644660940672624,
		[EASING_EXP] = 31.0 / 2046,
	};
	for (int easing = 0; easing < EASING_COUNT; easing++) {
		assert_near(easing_share((enum easing)easing, 0.25), quarters[easing], 1e-15);
	}
}

static void all_rise_and_are_symmetric(void **state) {
	(void)state;
	for (int easing = 0; easing < EASING_COUNT; easing++) {
		double before = 0;
		for (int i = 1; i <= 1000; i++) {
			const double x = i / 1000.0;
			const double share = easing_share((enum easing)easing, x);
			assert_true(share > before && share <= 1);
			assert_near(share + easing_share((enum easing)easing, 1 - x), 1, 1e-14);
			before = share;
		}
	}
}

static void smooth_ones_start_and_end_at_rest(void **state) {
	(void)state;
	static const enum easing smooth[] = {EASING_SMOOTH, EASING_SMOOTHER, EASING_COS};
	for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
		assert_near(easing_share(smooth[i], 1e-6) / 1e-6, 0, 1e-5);
		assert_near((1 - easing_share(smooth[i], 1 - 1e-6)) / 1e-6, 0, 1e-5);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_and_middle_are_exact),
		cmocka_unit_test(quarters_have_the_known_values),
		cmocka_unit_test(all_rise_and_are_symmetric),
		cmocka_unit_test(smooth_ones_start_and_end_at_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
