// Two bones to a target: what is refused, METHODS C.15's known triangles, and what always holds.
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "poses.h"
#include "reach.h"
#include "rigs.h"
#include "trees.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'two_bone': 'rest', 'end': 'C'}", ERROR_INVALID_VALUE, "",
			"\"target\" is missing"},
		{"{'two_bone': 'rest', 'target': [0,0,0]}", ERROR_INVALID_VALUE, "", "\"chain\""},
		{"{'two_bone': 'rset', 'end': 'C', 'target': [0,0,0]}", ERROR_UNKNOWN_OPERATION,
			"/two_bone", "rset"},
		{"{'two_bone': 'rest', 'end': 'X', 'target': [0,0,0]}", ERROR_UNKNOWN_JOINT, "/end",
			"nearest"},
		{"{'two_bone': 'rest', 'end': 'B', 'target': [0,0,0]}", ERROR_INVALID_VALUE, "/end",
			"no two joints above"},
		{"{'two_bone': 'rest', 'end': 'C', 'chain': ['A','B','C'], 'target': [0,0,0]}",
			ERROR_INVALID_VALUE, "/chain", "not both"},
		{"{'two_bone': 'rest', 'chain': ['A','B'], 'target': [0,0,0]}", ERROR_INVALID_VALUE,
			"/chain", "three joints"},
		{"{'two_bone': 'rest', 'chain': ['A','C','B'], 'target': [0,0,0]}",
			ERROR_INVALID_VALUE, "/chain/2", "below the one before it, \"C\""},
		{"{'two_bone': 'rest', 'chain': ['A','A','B'], 'target': [0,0,0]}",
			ERROR_INVALID_VALUE, "/chain/1", "below"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,1e39,0]}", ERROR_INVALID_VALUE,
			"/target/1", "farther"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'pole': [1e39,0,0]}",
			ERROR_INVALID_VALUE, "/pole/0", "farther"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'soft': 0}",
			ERROR_INVALID_VALUE, "/soft", "above 0"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'keep_rotation': 1}",
			ERROR_INVALID_VALUE, "/keep_rotation", "true or false"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'rotation': [0,0,0,0]}",
			ERROR_INVALID_VALUE, "/rotation", "zero"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'rotation': [0,0,0,1],"
		 "'keep_rotation': true}",
			ERROR_INVALID_VALUE, "/rotation", "contradict"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'weight': 1.5}",
			ERROR_INVALID_VALUE, "/weight", "from 0 to 1"},
		{"{'two_bone': 'rest', 'end': 'C', 'target': [0,0,0], 'limits': {'B': {}}}",
			ERROR_INVALID_VALUE, "/limits/B", "nothing is limited"},
		{"{'two_bone': {'set': 'rest', 'joints': {'B': {'translation': [3e38,0,0]},"
		 "'C': {'translation': [3e38,0,0]}}}, 'end': 'C', 'target': [0,0,0]}",
			ERROR_INVALID_VALUE, "/two_bone", "joint \"C\" farther"},
	};
	struct rig *rig = rig_tree("A(B(C))");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

/* A limb with bones of these lengths, from the origin along y. */
static struct rig *limb(double first, double second) {
	struct rig *rig = rig_tree("Base(Root(Middle(End(Tip))))");
	rig->joints[0].rest.translation[1] = rig->joints[1].rest.translation[1] = 0;
	rig->joints[2].rest.translation[1] = (float)first;
	rig->joints[3].rest.translation[1] = (float)second;
	return rig;
}

static void triangles_have_the_known_angles(void **state) {
	(void)state;
	static const struct {
		double a, b, d, inside, offset;
	} cases[] = {
		{1, 1, 1.41421356237, 90, 45},
		{0.45, 0.42, 0.7, 107.092508, 34.994575},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rig *rig = limb(cases[i].a, cases[i].b);
		struct arena *arena = arena_create();
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'two_bone': 'rest', 'end': 'End', 'target': [%.12g, 0, 0],"
				"'pole': [0, 0, 5]}",
				cases[i].d));
		const double target[3] = {cases[i].d, 0, 0};
		assert_near(joint_angle(rig, &pose, 1, 2, 3), cases[i].inside, 1e-4);
		assert_near(joint_angle(rig, &pose, 2, 1, 3), cases[i].offset, 1e-4);
		assert_near(joint_misses(rig, &pose, 3, target), 0, 1e-6);
		double middle[3];
		joint_position(rig, &pose, 2, middle);
		assert_near(middle[1], 0, 1e-6);
		assert_true(middle[2] > 0.1);
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void out_of_reach_it_stretches_or_folds(void **state) {
	(void)state;
	struct rig *rig = limb(0.5, 0.3);
	struct arena *arena = arena_create();
	const struct pose far = pose_of(rig, arena,
		"{'two_bone': 'rest', 'end': 'End', 'target': [30, 0, 40], 'pole': [0, 1, 0]}");
	const double line[3] = {0.8 * 0.6, 0, 0.8 * 0.8};
	assert_near(joint_misses(rig, &far, 3, line), 0, 1e-6);
	const struct pose near = pose_of(rig, arena,
		"{'two_bone': 'rest', 'end': 'End', 'target': [0.1, 0, 0], 'pole': [0, 1, 0]}");
	const double folded[3] = {0.2, 0, 0};
	assert_near(joint_misses(rig, &near, 3, folded), 0, 1e-6);
	// On the root there is no direction: folded, wherever to.
	const struct pose inside =
		pose_of(rig, arena, "{'two_bone': 'rest', 'end': 'End', 'target': [0, 0, 0]}");
	assert_near(joint_distance(rig, &inside, 1, 3), 0.2, 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

static void softening_falls_behind_without_a_jump(void **state) {
	(void)state;
	struct rig *rig = limb(0.5, 0.5);
	struct arena *arena = arena_create();
	double before = 0.85, slope = 1;
	for (double d = 0.86; d < 1.6; d += 0.01) {
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'two_bone': 'rest', 'end': 'End', 'target': [%.12g, 0, 0],"
				"'soft': 0.9}",
				d));
		// METHODS C.15: d_a + (L - d_a) (1 - e^(-(d - d_a) / (L - d_a))).
		const double expected = d < 0.9 ? d : 0.9 + 0.1 * (1 - exp(-(d - 0.9) / 0.1));
		const double at = joint_distance(rig, &pose, 1, 3);
		assert_near(at, expected, 2e-6);
		assert_true(at < 1 + 1e-6 && (at - before) / 0.01 < slope + 1e-3);
		slope = (at - before) / 0.01;
		before = at;
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void a_straight_limb_bends_where_it_may(void **state) {
	(void)state;
	struct rig *rig = limb(1, 1);
	struct arena *arena = arena_create();
	// About x, the way that the limit allows: from +y towards +z for positive angles.
	for (int sign = -1; sign <= 1; sign += 2) {
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'two_bone': 'rest', 'end': 'End', 'target': [0, 1.5, 0], "
				"'limits':"
				"{'Middle': {'hinge': {'axis': [1,0,0], 'min': %d, 'max': %d}}}}",
				sign < 0 ? -150 : 0, sign < 0 ? 0 : 150));
		const double target[3] = {0, 1.5, 0};
		assert_near(joint_misses(rig, &pose, 3, target), 0, 1e-6);
		assert_true(sign * pose.local[2].rotation[0] > 0.1);
		assert_near(pose.local[2].rotation[1], 0, 1e-6);
		assert_near(pose.local[2].rotation[2], 0, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void stretching_straight_keeps_the_pole_s_side(void **state) {
	(void)state;
	struct rig *rig = limb(0.5, 0.3);
	struct arena *arena = arena_create();
	struct pose poses[2];
	for (int i = 0; i < 2; i++) { // hardly bent, and straight
		poses[i] = pose_of(rig, arena,
			arena_printf(arena,
				"{'two_bone': {'set': 'rest', 'joints': {'Middle': {'rotation':"
				"[0.6,0,0,0.8]}}}, 'end': 'End', 'target': [%g, 0.2, 0], 'pole':"
				"[0.3, -9, 4]}",
				i ? 0.9 : 0.774596));
	}
	expect_near_pose(&poses[0], &poses[1], 0.02);
	arena_destroy(arena);
	rig_release(rig);
}

static void a_point_within_reach(
	unsigned *seed, const double root[static 3], double a, double b, double out[static 3]) {
	const double least = fabs(a - b), most = a + b;
	double v[3] = {random_number(seed), random_number(seed), random_number(seed) + 0.01};
	vec3_normalize(v);
	const double share = 0.5 + 0.49 * random_number(seed);
	for (int i = 0; i < 3; i++) {
		out[i] = root[i] + v[i] * (least + share * (most - least));
	}
}

/* The distance of the middle from the half plane of the line root to end and the pole. */
static double beside_pole(
	const struct rig *rig, const struct pose *pose, const double pole[static 3]) {
	double root[3], middle[3], end[3], normal[3], side[3], across[3];
	joint_position(rig, pose, 1, root);
	joint_position(rig, pose, 2, middle);
	joint_position(rig, pose, 3, end);
	vec3_sub(end, root, end);
	vec3_sub(middle, root, middle);
	vec3_sub(pole, root, side);
	vec3_cross(end, side, normal);
	vec3_normalize(normal);
	vec3_cross(normal, end, across); // towards the pole
	assert_true(vec3_dot(across, middle) >= -1e-6);
	return fabs(vec3_dot(normal, middle));
}

static void any_limb_gets_there_on_the_pole_s_side(void **state) {
	(void)state;
	unsigned seed = 41;
	for (unsigned round = 0; round < 300; round++) {
		struct rig *rig = rig_chain(round, 5);
		struct arena *arena = arena_create();
		const struct pose rest = pose_of(rig, arena, "'rest'");
		double root[3], target[3];
		const double pole[3] = {3 * random_number(&seed), 3 * random_number(&seed), 9};
		joint_position(rig, &rest, 1, root);
		const double a = joint_distance(rig, &rest, 1, 2);
		const double b = joint_distance(rig, &rest, 2, 3);
		a_point_within_reach(&seed, root, a, b, target);
		const char *head = arena_printf(arena,
			"'two_bone': 'rest', 'end': 'J3', 'target': [%.17g, %.17g, %.17g],"
			"'pole': [%.17g, %.17g, %.17g]",
			target[0], target[1], target[2], pole[0], pole[1], pole[2]);
		const struct pose pose = pose_of(
			rig, arena, arena_printf(arena, "{%s, 'keep_rotation': true}", head));
		assert_near(joint_misses(rig, &pose, 3, target), 0, 2e-6);
		assert_near(joint_distance(rig, &pose, 1, 2), a, 1e-6);
		assert_near(joint_distance(rig, &pose, 2, 3), b, 1e-6);
		assert_near(beside_pole(rig, &pose, pole), 0, 1e-5);
		expect_sound_pose(&pose);
		assert_memory_equal(&pose.local[0], &rest.local[0], sizeof rest.local[0]);
		assert_memory_equal(&pose.local[4], &rest.local[4], sizeof rest.local[4]);
		double before[12], after[12];
		joint_matrix(rig, &rest, 3, before);
		joint_matrix(rig, &pose, 3, after);
		for (int i = 0; i < 12; i++) {
			assert_near(after[i], i % 4 == 3 ? after[i] : before[i], 1e-6);
		}
		const struct pose none =
			pose_of(rig, arena, arena_printf(arena, "{%s, 'weight': 0}", head));
		expect_same_pose(&none, &rest);
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void bones_between_are_carried(void **state) {
	(void)state;
	struct rig *rig = rig_chain(77, 7);
	struct arena *arena = arena_create();
	const struct pose rest = pose_of(rig, arena, "'rest'");
	double root[3], target[3];
	unsigned seed = 5;
	joint_position(rig, &rest, 1, root);
	a_point_within_reach(&seed, root, joint_distance(rig, &rest, 1, 3),
		joint_distance(rig, &rest, 3, 6), target);
	const struct pose pose = pose_of(rig, arena,
		arena_printf(arena,
			"{'two_bone': 'rest', 'chain': ['J1','J3',6], 'target': [%.9g,%.9g,%.9g],"
			"'rotation': [0,0,0,-3]}",
			target[0], target[1], target[2]));
	assert_near(joint_misses(rig, &pose, 6, target), 0, 2e-6);
	const int still[] = {0, 2, 4, 5};
	for (size_t i = 0; i < 4; i++) {
		assert_memory_equal(
			&pose.local[still[i]], &rest.local[still[i]], sizeof rest.local[0]);
	}
	double m[12];
	joint_matrix(rig, &pose, 6, m);
	for (int i = 0; i < 11; i++) {
		assert_near(m[i], i % 4 == 3 ? m[i] : i % 5 == 0, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void uneven_scales_are_no_obstacle(void **state) {
	(void)state;
	unsigned seed = 43;
	for (unsigned round = 0; round < 200; round++) {
		struct rig *rig = rig_chain(round + 500, 5);
		struct arena *arena = arena_create();
		for (int i = 0; i < 3; i++) {
			for (int k = 0; k < 3; k++) {
				rig->joints[i].rest.scale[k] =
					(float)(1 + 0.15 * random_number(&seed));
			}
		}
		const struct pose rest = pose_of(rig, arena, "'rest'");
		double root[3], target[3];
		joint_position(rig, &rest, 1, root);
		const double a = joint_distance(rig, &rest, 1, 2);
		const double b = joint_distance(rig, &rest, 2, 3);
		// Well within what the bones reach however they lie.
		double v[3] = {random_number(&seed), random_number(&seed), 0.5};
		vec3_normalize(v);
		const double distance = fabs(a - b) + 0.5 * (a + b - fabs(a - b));
		for (int i = 0; i < 3; i++) {
			target[i] = root[i] + distance * v[i];
		}
		if (fmin(a, b) < 0.5 * fmax(a, b)) {
			arena_destroy(arena);
			rig_release(rig);
			continue; // stretching may leave no triangle
		}
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'two_bone': 'rest', 'end': 'J3', 'target': [%.9g,%.9g,%.9g]}",
				target[0], target[1], target[2]));
		assert_near(joint_misses(rig, &pose, 3, target), 0, 1e-5);
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void nothing_breaks_a_degenerate_limb(void **state) {
	(void)state;
	static const char *const bases[] = {
		"'rest'",
		"{'set': 'rest', 'joints': {'Middle': {'translation': [0,0,0]}}}",
		"{'set': 'rest', 'joints': {'End': {'translation': [0,0,0]}}}",
		("{'set': 'rest', 'joints': {'Middle': {'translation': [0,0,0]},"
		 "'End': {'translation': [0,0,0]}}}"),
		"{'set': 'rest', 'joints': {'Base': {'scale': [0,0,0]}}}",
		"{'set': 'rest', 'joints': {'Root': {'scale': [1,0,1]}}}",
		"{'set': 'rest', 'joints': {'Middle': {'scale': [-1,1e-30,1e30]}}}",
		"{'set': 'rest', 'joints': {'End': {'translation': [1e-38,1e38,0]}}}",
		"{'set': 'rest', 'joints': {'Middle': {'rotation': [1,0,0,0]}}}",
	};
	static const char *const rests[] = {"'target': [0,0,0]", "'target': [0,1,0]",
		"'target': [0,3e38,0]", "'target': [0,-1,0], 'pole': [0,5,0]",
		"'target': [0,1.5,0], 'pole': [0,0,0]",
		"'target': [1,1,0], 'pole': [1,1,0], 'keep_rotation': true, 'soft': 0.5",
		"'target': [1,1,1], 'limits': {'Root': {'cone': 0}, 'Middle': {'cone': 1}}"};
	struct rig *rig = limb(1, 1);
	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
		for (size_t k = 0; k < sizeof rests / sizeof *rests; k++) {
			struct arena *arena = arena_create();
			const struct pose pose = pose_of(rig, arena,
				arena_printf(arena, "{'two_bone': %s, 'end': 'End', %s}", bases[i],
					rests[k]));
			expect_sound_pose(&pose);
			arena_destroy(arena);
		}
	}
	rig_release(rig);
}

static void limits_hold_and_what_turned_is_driven(void **state) {
	(void)state;
	struct rig *rig = limb(1, 1);
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'blend': [{'pose': {'two_bone': 'rest', 'end': 'End', 'target': [0.9, 0, 0],"
		"'limits': {'Middle': {'hinge': {'axis': [0,0,1], 'min': -40, 'max': 0}},"
		"'Root': {'cone': 60}}}}]}");
	assert_near(joint_angle(rig, &pose, 1, 2, 3), 140, 1e-3);
	const double *const up = (const double[3]){0, 1, 0};
	double middle[3];
	joint_position(rig, &pose, 2, middle);
	assert_near(vec3_dot(up, middle), 0.5, 1e-5); // 60 degrees from the rest
	assert_int_equal(pose.driven[2] >> CHANNEL_ROTATION & 1, 1);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(triangles_have_the_known_angles),
		cmocka_unit_test(out_of_reach_it_stretches_or_folds),
		cmocka_unit_test(softening_falls_behind_without_a_jump),
		cmocka_unit_test(a_straight_limb_bends_where_it_may),
		cmocka_unit_test(stretching_straight_keeps_the_pole_s_side),
		cmocka_unit_test(any_limb_gets_there_on_the_pole_s_side),
		cmocka_unit_test(bones_between_are_carried),
		cmocka_unit_test(uneven_scales_are_no_obstacle),
		cmocka_unit_test(nothing_breaks_a_degenerate_limb),
		cmocka_unit_test(limits_hold_and_what_turned_is_driven),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
