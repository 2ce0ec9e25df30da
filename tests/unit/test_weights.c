// The weight policy W (METHODS 0.3), vertex by vertex.
#include "model/weights.h"

#include <string.h>

#include "check.h"
#include "model/rig.h"

#define SLOTS 10

static void weights_that_are_no_weights_count_as_zero(void **state) {
	(void)state;
	const double bad[] = {NAN, INFINITY, -INFINITY, -0.25};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct influence v[] = {{3, bad[i]}, {5, 1}};
		struct weight_flaws flaws = {0};
		assert_int_equal(weights_apply(v, 2, SLOTS, &flaws), 1);
		assert_int_equal(v[0].slot, 5);
		assert_true(v[0].weight == 1);
		assert_int_equal(flaws.bad, !isfinite(bad[i]));
		assert_int_equal(flaws.negative, isfinite(bad[i]));
		assert_int_equal(flaws.sum, 0);
	}
}

static void joints_that_do_not_exist_are_dropped(void **state) {
	(void)state;
	struct influence v[] = {{SLOTS, 0.5}, {4294967295u, 0.25}, {2, 0.25}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 3, SLOTS, &flaws), 1);
	assert_int_equal(v[0].slot, 2);
	assert_true(v[0].weight == 1);
	assert_int_equal(flaws.index, 1);
}

static void duplicates_are_added(void **state) {
	(void)state;
	// Halves, so that the sums are exact; the duplicate overtakes the greatest.
	struct influence v[] = {{1, 0.375}, {2, 0.25}, {2, 0.25}, {3, 0.125}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 4, SLOTS, &flaws), 3);
	assert_int_equal(v[0].slot, 2);
	assert_true(v[0].weight == 0.5);
	assert_int_equal(v[1].slot, 1);
	assert_int_equal(v[2].slot, 3);
	assert_int_equal(flaws.dup, 1);
}

static void padding_with_joint_zero_is_no_duplicate(void **state) {
	(void)state;
	struct influence v[] = {{0, 1}, {0, 0}, {0, 0}, {0, 0}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 4, SLOTS, &flaws), 1);
	assert_int_equal(flaws.dup, 0);
}

static void sorts_by_weight_then_by_joint(void **state) {
	(void)state;
	struct influence v[] = {{7, 0.25}, {9, 0.25}, {4, 0.25}, {1, 0.25}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 4, SLOTS, &flaws), 4);
	const uint32_t expected[] = {1, 4, 7, 9};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(v[i].slot, expected[i]);
	}
	assert_int_equal(memcmp(&flaws, &(struct weight_flaws){0}, sizeof flaws), 0);
}

static void no_weight_binds_to_the_first_joint_listed(void **state) {
	(void)state;
	struct influence v[] = {{99, 0}, {6, 0}, {2, 1e-7}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 3, SLOTS, &flaws), 1);
	assert_int_equal(v[0].slot, 6);
	assert_true(v[0].weight == 1);
	assert_int_equal(flaws.zero, 1);
	assert_int_equal(flaws.sum, 0);
}

static void nothing_valid_binds_to_the_first_slot(void **state) {
	(void)state;
	struct influence v[] = {{99, 0.5}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 1, SLOTS, &flaws), 1);
	assert_int_equal(v[0].slot, 0);
	assert_int_equal(flaws.zero, 1);
}

static void divides_by_the_sum_always_and_warns_beyond_a_thousandth(void **state) {
	(void)state;
	struct influence half[] = {{0, 0.375}, {1, 0.125}};
	struct influence near[] = {{0, 0.5004}, {1, 0.5004}};
	struct weight_flaws flaws = {0};
	weights_apply(half, 2, SLOTS, &flaws);
	assert_true(half[0].weight == 0.75 && half[1].weight == 0.25);
	assert_int_equal(flaws.sum, 1);
	weights_apply(near, 2, SLOTS, &flaws);
	assert_true(near[0].weight == 0.5);
	assert_int_equal(flaws.sum, 1);
}

static void takes_any_number_of_influences(void **state) {
	(void)state;
	struct influence v[100];
	struct weight_flaws flaws = {0};
	for (uint32_t i = 0; i < 100; i++) {
		v[i] = (struct influence){i, (double)(i + 1) / 5050};
	}
	assert_int_equal(weights_apply(v, 100, 100, &flaws), 100);
	double sum = 0;
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(v[i].slot, 99 - i);
		sum += v[i].weight;
	}
	assert_near(sum, 1, 1e-14);
}

/* 1e-50 beside 1 is 0 as float: keeping it would leave a weightless influence off the pivot. */
static void drops_what_a_float_cannot_hold(void **state) {
	(void)state;
	struct influence v[] = {{0, 1}, {1, 1e-50}};
	struct weight_flaws flaws = {0};
	assert_int_equal(weights_apply(v, 2, SLOTS, &flaws), 1);
}

static void warns_once_for_each_kind(void **state) {
	(void)state;
	struct rig *rig = rig_create();
	const struct weight_flaws flaws = {.sum = 1728, .zero = 1};
	weights_warn(rig, "meshes[0].primitives[1]", &flaws);
	assert_int_equal(rig->warning_count, 2);
	assert_string_equal(rig->warnings[0],
		"meshes[0].primitives[1]: ACCESSOR_WEIGHTS_NON_NORMALIZED: W_ZERO on 1 vertex (no "
		"weights; bound to the first joint "
		"listed)");
	assert_string_equal(rig->warnings[1],
		"meshes[0].primitives[1]: ACCESSOR_WEIGHTS_NON_NORMALIZED: W_SUM on 1728 vertices "
		"(weights do not sum to 1; divided "
		"by "
		"their sum)");
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_that_are_no_weights_count_as_zero),
		cmocka_unit_test(joints_that_do_not_exist_are_dropped),
		cmocka_unit_test(duplicates_are_added),
		cmocka_unit_test(padding_with_joint_zero_is_no_duplicate),
		cmocka_unit_test(sorts_by_weight_then_by_joint),
		cmocka_unit_test(no_weight_binds_to_the_first_joint_listed),
		cmocka_unit_test(nothing_valid_binds_to_the_first_slot),
		cmocka_unit_test(divides_by_the_sum_always_and_warns_beyond_a_thousandth),
		cmocka_unit_test(takes_any_number_of_influences),
		cmocka_unit_test(drops_what_a_float_cannot_hold),
		cmocka_unit_test(warns_once_for_each_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
