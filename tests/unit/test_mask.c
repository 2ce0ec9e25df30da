// Masks: inheritance down the tree, and what joints above every named one get.
#include "pose/mask.h"

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

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_hold_until_a_nearer_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
