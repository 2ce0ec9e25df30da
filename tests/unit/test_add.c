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
			"add, to, reference, weight, mask, order, space"},
		{"{'add': 'rest', 'to': 'rest', 'order': 'before'}", ERROR_INVALID_VALUE, "/order",
			"post, pre"},
		{"{'add': 'rest', 'to': 'rest', 'space': 'world'}", ERROR_INVALID_VALUE, "/space",
			"local, model"},
		{"{'add': 'rest', 'to': 'rest', 'space': 'model', 'order': 'post'}",
			ERROR_INVALID_VALUE, "/order", "\"pre\""},
		{"{'add': 'rest', 'to': 'rest', 'mask': {'J7': 1}}", ERROR_UNKNOWN_JOINT,
			"/mask/J7", "J7"},
		{"{'add': 'rest', 'to': 'rset'}", ERROR_UNKNOWN_OPERATION, "/to", "rset"},
		{"{'add': 'rset', 'to': 'rest', 'weight': 0}", ERROR_UNKNOWN_OPERATION, "/add",
			"rset"},
		{"{'add': 'rest', 'to': 'rest', 'reference': null}", ERROR_UNKNOWN_OPERATION,
			"/reference", "null is no pose"},
		{"{'add': 'rest', 'to': 'rest', 'weight': -0.5}", ERROR_INVALID_VALUE, "/weight",
			"-0.5, must be a number, 0 or more"},
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

/* The rotation of degrees about an axis, as JSON. */
static const char *turn(struct arena *arena, char axis, double degrees) {
	const double half = degrees * 3.14159265358979323846 / 360;
	return arena_printf(arena, "[%.17g,%.17g,%.17g,%.17g]", axis == 'x' ? sin(half) : 0,
		axis == 'y' ? sin(half) : 0, axis == 'z' ? sin(half) : 0, cos(half));
}

static void expect_rotation(const float *q, const double expected[static 4]) {
	for (int k = 0; k < 4; k++) {
		assert_near(q[k], expected[k], 3e-7);
	}
}

static void order_and_space_say_about_which_axes(void **state) {
	(void)state;
	// J1 is below J0, and both rest unturned. Q has J0 at 90 about z and J1 at 90 about x;
	// the pose has J1 at 90 about y.
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const char *const format =
		"{'add': {'set': 'rest', 'joints': {'J1': {'rotation': %s}}},"
		"'to': {'set': 'rest', 'joints': {'J0': {'rotation': %s}, 'J1': {'rotation': "
		"%s}}}%s}";
	const char *x = turn(arena, 'x', 90), *y = turn(arena, 'y', 90), *z = turn(arena, 'z', 90);
	static const struct {
		const char *members;
		double expected[4];
	} cases[] = {
		{"", {0.5, 0.5, 0.5, 0.5}},                  // x y
		{", 'order': 'post'", {0.5, 0.5, 0.5, 0.5}}, // x y
		{", 'order': 'pre'", {0.5, 0.5, -0.5, 0.5}}, // y x
		{", 'space': 'model'", {1, 0, 0, 0}},        // z^-1 y z x = x x
		{", 'space': 'model', 'weight': 0.5", {0.923879533, 0, 0, 0.382683432}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pose pose =
			pose_of(rig, arena, arena_printf(arena, format, y, z, x, cases[i].members));
		expect_rotation(pose.local[1].rotation, cases[i].expected);
		const double root[4] = {0, 0, sqrt(0.5), sqrt(0.5)};
		expect_rotation(pose.local[0].rotation, root);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void in_the_models_space_a_whole_turn_is_taken_once(void **state) {
	(void)state;
	// The pose turns J0; J1 goes along with it and turns no further: its local rotation stays.
	struct rig *rig = rig_random(6, 5, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 23;
	for (int round = 0; round < 20; round++) {
		const char *q = random_pose(arena, rig, &seed);
		const struct pose base = pose_of(rig, arena, q);
		const char *turned =
			arena_printf(arena, "{'set': 'rest', 'joints': {'J2': {'rotation': %s}}}",
				turn(arena, 'y', 70));
		const struct pose sum = pose_of(rig, arena,
			arena_printf(arena, "{'add': %s, 'to': %s, 'space': 'model'}", turned, q));
		for (int i = 0; i < 5; i++) {
			double dot = 0;
			for (int k = 0; k < 4; k++) {
				dot += (double)sum.local[i].rotation[k] * base.local[i].rotation[k];
			}
			if (i != 2) {
				assert_near(fabs(dot), 1, 1e-6);
			}
		}
		assert_memory_equal(sum.local, base.local, 2 * sizeof *base.local);
		// On its reference it is the pose here, too.
		const char *p = random_pose(arena, rig, &seed), *r = random_pose(arena, rig, &seed);
		const struct pose pose = pose_of(rig, arena, p);
		const struct pose added = pose_of(rig, arena,
			arena_printf(arena,
				"{'add': %s, 'to': %s, 'reference': %s, 'space': 'model'}", p, r,
				r));
		expect_near_pose(&added, &pose, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void masks_say_where(void **state) {
	(void)state;
	struct rig *rig = rig_random(6, 5, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 24;
	static const char *const spaces[] = {
		"'order': 'post'", "'order': 'pre'", "'space': 'model'"};
	for (int round = 0; round < 30; round++) {
		const char *p = random_pose(arena, rig, &seed), *q = random_pose(arena, rig, &seed);
		const char *members = spaces[round % 3];
		const struct pose base = pose_of(rig, arena, q);
		const struct pose all = pose_of(rig, arena,
			arena_printf(
				arena, "{'add': %s, 'to': %s, 'weight': 0.5, %s}", p, q, members));
		const struct pose half = pose_of(rig, arena,
			arena_printf(arena,
				"{'add': %s, 'to': %s, %s, 'mask': {'J0': 0.5, 'J3': 0}}", p, q,
				members));
		assert_memory_equal(half.local, all.local, 3 * sizeof *all.local);
		assert_memory_equal(&half.local[3], &base.local[3], 2 * sizeof *all.local);
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
		cmocka_unit_test(order_and_space_say_about_which_axes),
		cmocka_unit_test(in_the_models_space_a_whole_turn_is_taken_once),
		cmocka_unit_test(masks_say_where),
		cmocka_unit_test(difference_from_rest_is_added_by_weight),
		cmocka_unit_test(no_difference_and_no_weight_keep_the_bits),
		cmocka_unit_test(on_its_reference_it_is_the_pose_and_halves_add_up),
		cmocka_unit_test(nothing_has_no_ratio_and_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
