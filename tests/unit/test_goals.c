// Chains brought to goals, by every solver: what is refused, METHODS C.15's known cases, and what
// always holds.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "json_value.h"
#include "pose/ik/limits.h"
#include "poses.h"
#include "reach.h"
#include "rigs.h"
#include "trees.h"

static const char *const solvers[] = {"ccd", "fabrik", "jacobian", "jacobian_transpose"};

/* The last takes more steps than there can be for some targets. */
#define TRANSPOSE (SOLVER_COUNT - 1)
#define SOLVER_COUNT (sizeof solvers / sizeof *solvers)

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'%s': 'rest'}", ERROR_INVALID_VALUE, "", "\"goals\" is missing"},
		{"{'%s': 'rset', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0]}]}",
			ERROR_UNKNOWN_OPERATION, "/%s", "rset"},
		{"{'%s': 'rest', 'goals': []}", ERROR_INVALID_VALUE, "/goals", "1 to 64"},
		{"{'%s': 'rest', 'goals': {}}", ERROR_INVALID_VALUE, "/goals", "must be a list"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'target': [0,0,0]}]}", ERROR_INVALID_VALUE,
			"/goals/0", "\"root\" is missing"},
		{"{'%s': 'rest', 'goals': [{'end': 'X', 'root': 'A', 'target': [0,0,0]}]}",
			ERROR_UNKNOWN_JOINT, "/goals/0/end", "nearest"},
		{"{'%s': 'rest', 'goals': [{'end': 'A', 'root': 'C', 'target': [0,0,0]}]}",
			ERROR_INVALID_VALUE, "/goals/0/root", "above its end, \"A\""},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'C', 'target': [0,0,0]}]}",
			ERROR_INVALID_VALUE, "/goals/0/root", "above"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,1e39,0]}]}",
			ERROR_INVALID_VALUE, "/goals/0/target/1", "farther"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0],"
		 "'rotation': [0,0,0,0]}]}",
			ERROR_INVALID_VALUE, "/goals/0/rotation", "zero"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0],"
		 "'weight': 2}]}",
			ERROR_INVALID_VALUE, "/goals/0/weight", "from 0 to 1"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0]},"
		 "{'end': 'C', 'root': 'B', 'target': [0,0,0]}]}",
			ERROR_INVALID_VALUE, "/goals", "joint \"C\" is the end of two goals"},
		{"{'%s': 'rest', 'goals': [{'end': 'B', 'root': 'A', 'target': [0,0,0],"
		 "'rotation': [0,0,0,1]}, {'end': 'C', 'root': 'B', 'target': [0,0,0]}]}",
			ERROR_INVALID_VALUE, "/goals", "joint \"B\" is the end of one goal with"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0]}],"
		 "'iterations': 257}",
			ERROR_INVALID_VALUE, "/iterations", "from 1 to 256"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0]}],"
		 "'tolerance': 0}",
			ERROR_INVALID_VALUE, "/tolerance", "above 0"},
		{"{'%s': 'rest', 'goals': [{'end': 'C', 'root': 'A', 'target': [0,0,0]}],"
		 "'weight': 2}",
			ERROR_INVALID_VALUE, "/weight", "from 0 to 1"},
	};
	struct rig *rig = rig_tree("A(B(C(D)))");
	for (size_t s = 0; s < SOLVER_COUNT; s++) {
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			struct arena *arena = arena_create();
			struct pose_refusal row = rows[i];
			const char *at = strstr(row.expression, "%s");
			row.expression = arena_printf(arena, "%.*s%s%s", (int)(at - row.expression),
				row.expression, solvers[s], at + 2);
			row.pointer = strcmp(row.pointer, "/%s") == 0
				? arena_printf(arena, "/%s", solvers[s])
				: row.pointer;
			expect_pose_refusals(rig, &row, 1);
			arena_destroy(arena);
		}
	}
	rig_release(rig);
}

/* Three unit bones along y, from the origin. */
static struct rig *three_bones(void) {
	struct rig *rig = rig_tree("J0(J1(J2(J3)))");
	rig->joints[0].rest.translation[1] = 0;
	return rig;
}

static struct pose solved(const struct rig *rig, struct arena *arena, const char *solver,
	const double target[static 3], const char *rest) {
	return pose_of(rig, arena,
		arena_printf(arena,
			"{'%s': 'rest', 'goals': [{'root': 'J0', 'end': 'J%d', 'target':"
			"[%.17g, %.17g, %.17g]}]%s}",
			solver, rig->joint_count - 1, target[0], target[1], target[2], rest));
}

static void four_reaches_are_enough(void **state) {
	(void)state;
	struct rig *rig = three_bones();
	struct arena *arena = arena_create();
	const double target[3] = {1.5, 1.5, 0};
	const struct pose pose =
		solved(rig, arena, "fabrik", target, ", 'iterations': 4, 'tolerance': 1e-7");
	assert_near(joint_misses(rig, &pose, 3, target), 0, 1e-6);
	for (int i = 1; i < 4; i++) {
		assert_near(joint_distance(rig, &pose, i - 1, i), 1, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void a_straight_chain_folds_onto_its_line(void **state) {
	(void)state;
	struct rig *rig = three_bones();
	for (size_t s = 0; s < SOLVER_COUNT; s++) {
		struct arena *arena = arena_create();
		const double target[3] = {0, 1.5, 0};
		const struct pose pose = solved(
			rig, arena, solvers[s], target, ", 'iterations': 100, 'tolerance': 1e-3");
		assert_near(joint_misses(rig, &pose, 3, target), 0, 1e-3);
		expect_sound_pose(&pose);
		arena_destroy(arena);
	}
	rig_release(rig);
}

/* METHODS C.15, ik_jt, for a straight chain that need only turn about z: with e = (1.5, -1.5, 0),
 * J^T e = -1.5 (3, 2, 1), J J^T e = (14 * 1.5, 0, 0), and so a = 1 / 14. */
static void the_transpose_s_first_step_is_the_formula_s(void **state) {
	(void)state;
	struct rig *rig = three_bones();
	struct arena *arena = arena_create();
	const double target[3] = {1.5, 1.5, 0};
	const struct pose pose =
		solved(rig, arena, "jacobian_transpose", target, ", 'iterations': 1");
	for (int i = 0; i < 3; i++) {
		const double half = -1.5 * (3 - i) / 14 / 2, want[4] = {0, 0, sin(half), cos(half)};
		for (int k = 0; k < 4; k++) {
			assert_near(pose.local[i].rotation[k], want[k], 1e-7);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void out_of_reach_it_is_straight(void **state) {
	(void)state;
	struct rig *rig = three_bones();
	for (size_t s = 0; s < SOLVER_COUNT; s++) {
		struct arena *arena = arena_create();
		const double target[3] = {6, -8, 0}, nearest[3] = {1.8, -2.4, 0};
		const struct pose pose = solved(rig, arena, solvers[s], target, "");
		assert_near(joint_misses(rig, &pose, 3, nearest), 0, 1e-5);
		arena_destroy(arena);
	}
	rig_release(rig);
}

/* The position of a chain's end when its joints are turned at random, by up to so much. */
static void a_point_in_reach(const struct rig *rig, const struct pose *rest, struct arena *arena,
	unsigned *seed, int end, double most, double out[static 3]) {
	struct pose pose = pose_rest(rig, arena);
	memcpy(pose.local, rest->local, (size_t)rig->joint_count * sizeof *pose.local);
	for (int i = 0; i < rig->joint_count; i++) {
		double vector[3], turn[4], q[4];
		for (int k = 0; k < 3; k++) {
			vector[k] = most * random_number(seed);
		}
		quat_from_vector(vector, turn);
		for (int k = 0; k < 4; k++) {
			q[k] = pose.local[i].rotation[k];
		}
		quat_multiply(turn, q, q);
		for (int k = 0; k < 4; k++) {
			pose.local[i].rotation[k] = (float)q[k];
		}
	}
	joint_position(rig, &pose, end, out);
}

static void any_chain_gets_there(void **state) {
	(void)state;
	unsigned seed = 61;
	for (unsigned round = 0; round < 200; round++) {
		struct rig *rig = rig_chain(round, 6);
		struct arena *arena = arena_create();
		const struct pose rest = pose_of(rig, arena, "'rest'");
		double target[3];
		a_point_in_reach(rig, &rest, arena, &seed, 5, 1, target);
		// The first joint turns, too, but about itself: the target is in reach all the
		// same.
		for (size_t s = 0; s < SOLVER_COUNT; s++) {
			const struct pose pose = solved(rig, arena, solvers[s], target,
				", 'iterations': 256, 'tolerance': 1e-4");
			assert_near(joint_misses(rig, &pose, 5, target), 0,
				s == TRANSPOSE ? 1e-3 : 1.01e-4);
			expect_sound_pose(&pose);
			for (int i = 1; i < 6; i++) {
				assert_near(joint_distance(rig, &pose, i - 1, i),
					joint_distance(rig, &rest, i - 1, i), 2e-6);
			}
			assert_memory_equal(&pose.local[5], &rest.local[5], sizeof *rest.local);
			const struct pose none =
				solved(rig, arena, solvers[s], target, ", 'weight': 0");
			expect_same_pose(&none, &rest);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void two_hands_get_there(void **state) {
	(void)state;
	struct rig *rig = rig_tree("H(S(C(L0(L1(L2(L3))),R0(R1(R2(R3))))))");
	for (int i = 0; i < rig->joint_count; i++) {
		const char *name = rig->joints[i].name;
		if (name[1] == '0') {
			rig->joints[i].rest.translation[0] = name[0] == 'L' ? 0.5f : -0.5f;
		}
	}
	unsigned seed = 62;
	int slow = 0;
	for (int round = 0; round < 100; round++) {
		struct arena *arena = arena_create();
		const struct pose rest = pose_of(rig, arena, "'rest'");
		double left[3], right[3];
		const unsigned same = seed;
		a_point_in_reach(rig, &rest, arena, &seed, 6, 0.8, left);
		seed = same;
		a_point_in_reach(rig, &rest, arena, &seed, 10, 0.8, right);
		for (size_t s = 0; s < SOLVER_COUNT; s++) {
			const struct pose pose = pose_of(rig, arena,
				arena_printf(arena,
					"{'%s': 'rest', 'iterations': 256, 'tolerance': 1e-3,"
					"'goals': [{'root': 'H', 'end': 'L3', 'target':"
					"[%.9g,%.9g,%.9g]}, {'root': 'H', 'end': 'R3',"
					"'rotation': [0,0,0,1],"
					"'target': [%.9g,%.9g,%.9g], 'weight': 0.7}]}",
					solvers[s], left[0], left[1], left[2], right[0], right[1],
					right[2]));
			const double worst = fmax(joint_misses(rig, &pose, 6, left),
				joint_misses(rig, &pose, 10, right));
			if (s == TRANSPOSE) {
				slow += worst > 0.03;
			} else {
				assert_near(worst, 0, 1.01e-3);
			}
			expect_sound_pose(&pose);
			double m[12];
			joint_matrix(rig, &pose, 10, m);
			for (int i = 0; i < 11; i++) {
				assert_near(m[i], i % 4 == 3 ? m[i] : i % 5 == 0, 2e-6);
			}
		}
		arena_destroy(arena);
	}
	assert_in_range(slow, 0, 10);
	rig_release(rig);
}

static void limits_are_never_exceeded(void **state) {
	(void)state;
	unsigned seed = 63;
	const char *tight = "{'J0': {'cone': 40, 'twist': [-30, 30]}, 'J1': {'hinge': {'axis':"
			    "[1,0,0], 'min': 0, 'max': 120}}, 'J2': {'swing': [20, 50]}, 'J3':"
			    "{'euler': {'order': 'ZXY', 'min': [-40,-30,-20], 'max': [30,20,10]}}}";
	const char *wide = "{'J0': {'cone': 40.0005, 'twist': [-30.0005, 30.0005]}, 'J1': {'swing':"
			   "[0.0005, 0.0005], 'axis': [1,0,0], 'twist': [-0.0005, 120.0005]},"
			   "'J2': {'swing': [20.0005, 50.0005]}, 'J3': {'euler': {'order': 'ZXY',"
			   "'min': [-40.0005,-30.0005,-20.0005],"
			   "'max': [30.0005,20.0005,10.0005]}}}";
	for (unsigned round = 0; round < 60; round++) {
		struct rig *rig = rig_chain(round, 5);
		for (size_t s = 0; s < SOLVER_COUNT; s++) {
			struct arena *arena = arena_create();
			double target[3];
			for (int k = 0; k < 3; k++) {
				target[k] = 3 * random_number(&seed);
			}
			const char *pose = arena_printf(arena,
				"{'%s': 'rest', 'goals': [{'root': 'J0', 'end': 'J4',"
				"'target': [%.9g,%.9g,%.9g]}], 'limits': %s, 'weight': %g}",
				solvers[s], target[0], target[1], target[2], tight,
				round % 2 ? 1.0 : 0.6);
			const struct pose held = pose_of(rig, arena, pose);
			const struct pose again = pose_of(rig, arena,
				arena_printf(arena, "{'limit': %s, 'limits': %s}", pose, wide));
			expect_same_pose(&again, &held);
			arena_destroy(arena);
		}
		rig_release(rig);
	}
}

static void nothing_breaks_a_degenerate_chain(void **state) {
	(void)state;
	static const char *const bases[] = {
		"'rest'",
		"{'set': 'rest', 'joints': {'J1': {'translation': [0,0,0]}}}",
		("{'set': 'rest', 'joints': {'J1': {'translation': [0,0,0]}, 'J2': {'translation':"
		 "[0,0,0]}, 'J3': {'translation': [0,0,0]}}}"),
		"{'set': 'rest', 'joints': {'J0': {'scale': [0,0,0]}}}",
		"{'set': 'rest', 'joints': {'J1': {'scale': [1,0,1]}}}",
		"{'set': 'rest', 'joints': {'J1': {'scale': [-1,1e-30,1e30]}}}",
		"{'set': 'rest', 'joints': {'J3': {'translation': [1e-38,1e38,0]}}}",
		"{'set': 'rest', 'joints': {'J2': {'rotation': [1,0,0,0]}}}",
	};
	static const double targets[][3] = {
		{0, 0, 0}, {0, 1, 0}, {0, 3, 0}, {0, -1, 0}, {3e38, 3e38, 0}, {1e-38, 0.1, 0}};
	struct rig *rig = three_bones();
	for (size_t s = 0; s < SOLVER_COUNT; s++) {
		for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
			for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
				struct arena *arena = arena_create();
				const struct pose pose = pose_of(rig, arena,
					arena_printf(arena,
						"{'%s': %s, 'goals': [{'root': 'J0', 'end': 'J3',"
						"'target': [%g,%g,%g]}, {'root': 'J1', 'end': 'J2',"
						"'target': [1,1,1], 'weight': %d}]}",
						solvers[s], bases[i], targets[k][0], targets[k][1],
						targets[k][2], (int)(k % 2)));
				expect_sound_pose(&pose);
				arena_destroy(arena);
			}
		}
	}
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(four_reaches_are_enough),
		cmocka_unit_test(a_straight_chain_folds_onto_its_line),
		cmocka_unit_test(the_transpose_s_first_step_is_the_formula_s),
		cmocka_unit_test(out_of_reach_it_is_straight),
		cmocka_unit_test(any_chain_gets_there),
		cmocka_unit_test(two_hands_get_there),
		cmocka_unit_test(limits_are_never_exceeded),
		cmocka_unit_test(nothing_breaks_a_degenerate_chain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
