// Additions: what is refused, the known answers of METHODS C.9, and what holds for any poses.
#include <string.h>

#include "check.h"
#include "poses.h"
#include "rigs.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'add': 'rest'}", ERROR_INVALID_VALUE, "", "\"to\" is missing"},
		{"{'add': 'rest', 'to': 'rest', 'on': 'rest'}", ERROR_UNKNOWN_MEMBER, "/on",
			"add, to, reference, weight"},
		{"{'add': 'rest', 'to': 'rset'}", ERROR_UNKNOWN_OPERATION, "/to", "rset"},
		{"{'add': 'rset', 'to': 'rest', 'weight': 0}", ERROR_UNKNOWN_OPERATION, "/add",
			"rset"},
		{"{'add': 'rest', 'to': 'rest', 'reference': null}", ERROR_UNKNOWN_OPERATION,
			"/reference", "null is no pose"},
		{"{'add': 'rest', 'to': 'rest', 'weight': -0.5}", ERROR_INVALID_VALUE, "/weight",
			"-0.5, must be 0 or more"},
		{"{'add': {'set': 'rest', 'joints': {'J1': {'translation': [9,9,9]}}}, 'to': "
		 "'rest',"
		 " 'weight': 1e300}",
			ERROR_INVALID_VALUE, "/weight", "joint \"J1\" farther"},
	};
	struct rig *rig = rig_random(5, 3, 1, 4);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void known_turns_add_up(void **state) {
	(void)state;
	// METHODS C.9: reference 20 degrees about z, pose 50 about z, put on 40 about x.
	struct rig *rig = rig_random(5, 3, 1, 4);
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'add': {'set': 'rest', 'joints': {'J1': {'rotation': "
		"[0,0,0.422618262,0.906307787]}}},"
		"'reference': {'set': 'rest', 'joints': {'J1': {'rotation': "
		"[0,0,0.173648178,0.984807753]}}},"
		"'to': {'set': 'rest', 'joints': {'J1': {'rotation': "
		"[0.342020143,0,0,0.939692621]}}}}");
	const double expected[4] = {0.330366, -0.088521, 0.243210, 0.907673};
	for (int k = 0; k < 4; k++) {
		assert_near(pose.local[1].rotation[k], expected[k], 6e-7);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void difference_from_rest_is_added_by_weight(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	// 30 degrees about y, 3 times: 90 degrees after the 180 about x that are there.
	const struct pose pose = pose_of(rig, arena,
		"{'add': {'set': 'rest', 'joints': {'1': {'rotation': "
		"[0,0.258819045,0,0.965925826],"
		"'translation': [1,1,-2], 'scale': [2,0.5,1]}}}, 'weight': 3,"
		"'to': {'set': 'rest', 'joints': {'1': {'rotation': [1,0,0,0], 'translation': "
		"[10,10,10],"
		"'scale': [5,2,7]}}}}");
	const struct transform *local = &pose.local[1];
	const double q[4] = {sqrt(0.5), 0, sqrt(0.5), 0};
	for (int k = 0; k < 4; k++) {
		assert_near(local->rotation[k], q[k], 1e-6);
	}
	const double t[3] = {13, 10, 4}, s[3] = {5 * (1 + 3 * 1), 2 * (1 - 3 * 0.5), 7};
	for (int k = 0; k < 3; k++) {
		assert_near(local->translation[k], t[k], 1e-6);
		assert_near(local->scale[k], s[k], 1e-6);
	}
	assert_memory_equal(&pose.local[0], &rig->joints[0].rest, sizeof pose.local[0]);
	arena_destroy(arena);
	rig_release(rig);
}

static void no_difference_and_no_weight_keep_the_bits(void **state) {
	(void)state;
	struct rig *rig = rig_random(6, 5, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 21;
	for (int round = 0; round < 50; round++) {
		const char *p = random_pose(arena, rig, &seed), *q = random_pose(arena, rig, &seed);
		const char *r = random_pose(arena, rig, &seed);
		const struct pose base = pose_of(rig, arena, q);
		const struct pose unweighted = pose_of(rig, arena,
			arena_printf(arena, "{'add': %s, 'to': %s, 'reference': %s, 'weight': 0}",
				p, q, r));
		expect_same_pose(&unweighted, &base);
		const struct pose equal = pose_of(rig, arena,
			arena_printf(arena, "{'add': %s, 'to': %s, 'reference': %s, 'weight': 7}",
				r, q, r));
		expect_same_pose(&equal, &base);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void on_its_reference_it_is_the_pose_and_halves_add_up(void **state) {
	(void)state;
	struct rig *rig = rig_random(6, 5, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 22;
	for (int round = 0; round < 50; round++) {
		const char *p = random_pose(arena, rig, &seed), *r = random_pose(arena, rig, &seed);
		const struct pose pose = pose_of(rig, arena, p);
		const struct pose added = pose_of(rig, arena,
			arena_printf(arena, "{'add': %s, 'to': %s, 'reference': %s}", p, r, r));
		expect_near_pose(&added, &pose, 1e-6);
		// Rotations and translations: half the difference twice is the whole of it.
		const struct pose twice = pose_of(rig, arena,
			arena_printf(arena,
				"{'add': %s, 'to': {'add': %s, 'to': %s, 'reference': %s, "
				"'weight': 0.5},"
				"'reference': %s, 'weight': 0.5}",
				p, p, r, r, r));
		for (int i = 0; i < rig->joint_count; i++) {
			memcpy(twice.local[i].scale, pose.local[i].scale,
				sizeof pose.local[i].scale);
		}
		expect_near_pose(&twice, &pose, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void nothing_has_no_ratio_and_changes_nothing(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'add': {'set': 'rest', 'joints': {'J1': {'scale': [3, 0, 2]}}}, 'to': 'rest',"
		"'reference': {'set': 'rest', 'joints': {'J1': {'scale': [0, 0, 1]}}}}");
	const float expected[3] = {1, 1, 2};
	assert_memory_equal(pose.local[1].scale, expected, sizeof expected);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(known_turns_add_up),
		cmocka_unit_test(difference_from_rest_is_added_by_weight),
		cmocka_unit_test(no_difference_and_no_weight_keep_the_bits),
		cmocka_unit_test(on_its_reference_it_is_the_pose_and_halves_add_up),
		cmocka_unit_test(nothing_has_no_ratio_and_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
