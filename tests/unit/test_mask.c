// Masks: inheritance down the tree, and what joints above every named one get.
#include "pose/blend/over.h"

#include "check.h"
#include "json_value.h"
#include "rigs.h"

/* A tree of seven: J0 is the root of J1 (with J2, J3 below in a chain) and J4 (with J5); J6 is a
 * root of its own. */
static struct rig *tree(void) {
	static const int parents[] = {-1, 0, 1, 2, 0, 4, -1};
	struct rig *rig = rig_random(1, 7, 1, 4);
	for (int i = 0; i < 7; i++) {
		rig->joints[i].parent = parents[i];
	}
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct {
		const char *mask;
		enum error_code code;
		const char *pointer, *piece;
	} rows[] = {
		{"1", ERROR_INVALID_VALUE, "", "an object of joints"},
		{"{'J1': -0.5}", ERROR_INVALID_VALUE, "/J1", "-0.5, must be a number from 0 to 1"},
		{"{'J1': [1]}", ERROR_INVALID_VALUE, "/J1", "a list, must be a number"},
		{"{'J9': {'weight': 1, 'fade': 2}}", ERROR_UNKNOWN_JOINT, "/J9", "nearest"},
		{"{'J1': {'weight': 1}}", ERROR_INVALID_VALUE, "/J1", "\"fade\" is missing"},
		{"{'J1': {'fade': 3}}", ERROR_INVALID_VALUE, "/J1", "\"weight\" is missing"},
		{"{'J1': {'weight': 1.5, 'fade': 3}}", ERROR_INVALID_VALUE, "/J1/weight", "1.5"},
		{"{'J1': {'weight': 1, 'fade': 0}}", ERROR_INVALID_VALUE, "/J1/fade", "0"},
		{"{'J1': {'weight': 1, 'fade': 1001}}", ERROR_INVALID_VALUE, "/J1/fade", "1001"},
		{"{'J1': {'weight': 1, 'fade': 1.5}}", ERROR_INVALID_VALUE, "/J1/fade", "1.5"},
		{"{'J1': {'weight': 1, 'fade': 2, 'ease': 1}}", ERROR_UNKNOWN_MEMBER, "/J1/ease",
			"weight, fade"},
		{"{'J1': {'weight': 1, 'fade': 2}, '1': 0}", ERROR_INVALID_VALUE, "/1",
			"joint 1 is \"J1\""},
	};
	struct rig *rig = tree();
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		float mask[7];
		struct error err = {0};
		assert_false(mask_read(rig, json_value(arena, rows[i].mask), mask, &err));
		expect_error(&err, rows[i].code, rows[i].pointer, rows[i].piece);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void values_hold_until_a_nearer_one(void **state) {
	(void)state;
	static const struct {
		const char *mask;
		float expected[7];
	} cases[] = {
		{"{}", {1, 1, 1, 1, 1, 1, 1}},
		{"{'J1': 1}", {0, 1, 1, 1, 0, 0, 0}},
		{"{'J1': 0}", {1, 0, 0, 0, 1, 1, 1}},
		{"{'J1': 1, 'J4': 0}", {0, 1, 1, 1, 0, 0, 0}},
		{"{'J1': 0, 'J4': 0}", {1, 0, 0, 0, 0, 0, 1}},
		{"{'J1': 0.25, 'J3': 1}", {0, 0.25f, 0.25f, 1, 0, 0, 0}},
		{"{'J3': 1, 'J1': 0.25}", {0, 0.25f, 0.25f, 1, 0, 0, 0}},
		{"{'J0': 0, 'J2': 0.5}", {0, 0, 0.5f, 0.5f, 0, 0, 0}},
		{"{'J0': 1, 'J6': 0}", {1, 1, 1, 1, 1, 1, 0}},
		{"{'4': 1, 'J5': 0}", {0, 0, 0, 0, 1, 0, 0}},
		// Growing values: in as many equal steps from what the joint above has.
		{"{'J1': {'weight': 1, 'fade': 1}}", {0, 1, 1, 1, 0, 0, 0}},
		{"{'J1': {'weight': 1, 'fade': 2}}", {0, 0.5f, 1, 1, 0, 0, 0}},
		{"{'J1': {'weight': 1, 'fade': 4}}", {0, 0.25f, 0.5f, 0.75f, 0, 0, 0}},
		{"{'J0': {'weight': 0.5, 'fade': 2}}", {0.25f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0}},
		{"{'J1': {'weight': 0, 'fade': 2}}", {1, 0.5f, 0, 0, 1, 1, 1}},
		{"{'J0': 0.5, 'J1': {'weight': 1, 'fade': 4}}",
			{0.5f, 0.625f, 0.75f, 0.875f, 0.5f, 0.5f, 0}},
		{"{'J0': {'weight': 1, 'fade': 4}, 'J2': {'weight': 0, 'fade': 2}}",
			{0.25f, 0.5f, 0.25f, 0, 0.5f, 0.75f, 0}},
		{"{'J1': {'weight': 1, 'fade': 4}, 'J2': 0.875}",
			{0, 0.25f, 0.875f, 0.875f, 0, 0, 0}},
		{"{'J6': {'weight': 0, 'fade': 2}}", {1, 1, 1, 1, 1, 1, 0.5f}},
	};
	struct rig *rig = tree();
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float mask[7];
		struct error err = {0};
		assert_true(mask_read(rig, json_value(arena, cases[i].mask), mask, &err));
		for (int j = 0; j < 7; j++) {
			if (mask[j] != cases[i].expected[j]) {
				fail_msg("%s: joint %d has %g", cases[i].mask, j, (double)mask[j]);
			}
		}
	}
	float all[7];
	assert_true(mask_read(rig, NULL, all, NULL));
	for (int j = 0; j < 7; j++) {
		assert_near(all[j], 1, 0);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void thirds_end_exactly(void **state) {
	(void)state;
	struct rig *rig = tree();
	struct arena *arena = arena_create();
	float mask[7];
	struct error err = {0};
	assert_true(mask_read(
		rig, json_value(arena, "{'J0': {'weight': 0.7, 'fade': 3}}"), mask, &err));
	assert_near(mask[0], 0.7 / 3, 1e-8);
	assert_near(mask[1], 1.4 / 3, 3e-8);
	assert_near(mask[2], 0.7f, 0);
	assert_near(mask[3], 0.7f, 0);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(values_hold_until_a_nearer_one),
		cmocka_unit_test(thirds_end_exactly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
