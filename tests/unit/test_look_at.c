// Joints that look: what is refused, known turns, and what always holds.
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check.h"
#include "poses.h"
#include "reach.h"
#include "rigs.h"
#include "trees.h"

#define DEGREE (3.14159265358979323846 / 180)

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'look_at': 'rest', 'joint': 'C'}", ERROR_INVALID_VALUE, "",
			"\"target\" is missing"},
		{"{'look_at': 'rset', 'joint': 'C', 'target': [0,0,0]}", ERROR_UNKNOWN_OPERATION,
			"/look_at", "rset"},
		{"{'look_at': 'rest', 'joint': 'X', 'target': [0,0,0]}", ERROR_UNKNOWN_JOINT,
			"/joint", "nearest"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,-1e39]}", ERROR_INVALID_VALUE,
			"/target/2", "farther"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'axis': [0,0,0]}",
			ERROR_INVALID_VALUE, "/axis", "zero"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'up': [0,0,0]}",
			ERROR_INVALID_VALUE, "/up", "zero"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'world_up': [0,1,0]}",
			ERROR_INVALID_VALUE, "/world_up", "needs \"up\""},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'max_angle': 181}",
			ERROR_INVALID_VALUE, "/max_angle", "from 0 to 180"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'weight': -1}",
			ERROR_INVALID_VALUE, "/weight", "from 0 to 1"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'chain': ['A']}",
			ERROR_INVALID_VALUE, "/chain", "a list, must be an object"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'chain': {}}",
			ERROR_INVALID_VALUE, "/chain", "above 0"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'chain': {'D': 1}}",
			ERROR_INVALID_VALUE, "/chain/D", "neither"},
		{"{'look_at': 'rest', 'joint': 'C', 'target': [0,0,0], 'chain': {'A': -1}}",
			ERROR_INVALID_VALUE, "/chain/A", "0 or more"},
	};
	struct rig *rig = rig_tree("A(B(C(D)))");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

/* The deviation of a joint's own axis from the direction to the target, as the length of the
 * difference of unit vectors. */
static double misses(const struct rig *rig, const struct pose *pose, int joint,
	const double axis[static 3], const double target[static 3]) {
	double m[12], at[3], wanted[3];
	joint_matrix(rig, pose, joint, m);
	mat_map_direction(m, axis, at);
	vec3_normalize(at);
	joint_position(rig, pose, joint, wanted);
	vec3_sub(target, wanted, wanted);
	vec3_normalize(wanted);
	vec3_sub(at, wanted, at);
	return vec3_length(at);
}

static void any_joint_looks_there(void **state) {
	(void)state;
	unsigned seed = 51;
	for (unsigned round = 0; round < 300; round++) {
		struct rig *rig = rig_chain(round, 4);
		struct arena *arena = arena_create();
		for (int i = 0; i < 4 && round % 2; i++) {
			for (int k = 0; k < 3; k++) { // any scales above
				rig->joints[i].rest.scale[k] =
					(float)(1 + 0.8 * random_number(&seed));
			}
		}
		double n[9];
		for (int i = 0; i < 9; i++) {
			n[i] = 2 * random_number(&seed);
		}
		vec3_normalize(n);
		const char *head = arena_printf(arena,
			"'look_at': 'rest', 'joint': 'J3', 'axis': [%.17g,%.17g,%.17g],"
			"'target': [%.17g,%.17g,%.17g]",
			n[0], n[1], n[2], n[3], n[4], n[5]);
		const struct pose rest = pose_of(rig, arena, "'rest'");
		const struct pose pose = pose_of(rig, arena, arena_printf(arena, "{%s}", head));
		assert_near(misses(rig, &pose, 3, n, n + 3), 0, 1e-6);
		expect_sound_pose(&pose);
		assert_memory_equal(pose.local, rest.local, 3 * sizeof *rest.local);
		const struct pose none =
			pose_of(rig, arena, arena_printf(arena, "{%s, 'weight': 0}", head));
		expect_same_pose(&none, &rest);
		if (round % 2 == 0) { // even scales: all of a chain, too
			const struct pose chain = pose_of(rig, arena,
				arena_printf(arena,
					"{%s, 'chain': {'J1': 0.4, 'J2': 0.6, 'J3': 1}}", head));
			const double far[3] = {n[3], n[4], n[5]};
			if (joint_misses(rig, &rest, 3, far) > 2) {
				assert_near(misses(rig, &chain, 3, n, n + 3), 0, 1e-6);
			}
			expect_sound_pose(&chain);
			assert_memory_equal(chain.local, rest.local, sizeof *rest.local);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

static double angle_of(const struct transform *local) {
	const float *q = local->rotation;
	return 2 *
		atan2(sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2]),
			fabs((double)q[3])) /
		DEGREE;
}

static void shares_and_limits_of_the_turn_are_known(void **state) {
	(void)state;
	// All in one place, so that nobody moves: 80 degrees about y, shared 1 : 3.
	struct rig *rig = rig_tree("A(B(C))");
	for (int i = 0; i < 3; i++) {
		rig->joints[i].rest.translation[1] = 0;
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'look_at': 'rest', 'joint': 'C', 'target': [0.984807753, 0, 0.173648178],"
		"'chain': {'B': 2, 'C': 6}}");
	assert_near(angle_of(&pose.local[1]), 20, 1e-4);
	assert_near(angle_of(&pose.local[2]), 60, 1e-4);
	assert_near(pose.local[2].rotation[1], 0.5, 1e-6);
	const struct pose less = pose_of(rig, arena,
		"{'look_at': 'rest', 'joint': 'C', 'target': [0.984807753, 0, 0.173648178],"
		"'max_angle': 50}");
	assert_near(angle_of(&less.local[2]), 50, 1e-4);
	const struct pose half = pose_of(rig, arena,
		"{'look_at': 'rest', 'joint': 'C', 'target': [0.984807753, 0, 0.173648178],"
		"'weight': 0.5}");
	assert_near(angle_of(&half.local[2]), 40, 1e-4);
	const struct pose held = pose_of(rig, arena,
		"{'look_at': 'rest', 'joint': 'C', 'target': [0.984807753, 0, 0.173648178],"
		"'limits': {'C': {'cone': 180, 'twist': [-30, 30], 'axis': [0, 1, 0]}}}");
	assert_near(angle_of(&held.local[2]), 30, 1e-4);
	// Backwards: half a turn about what is up, whether that is said or not.
	const struct pose back =
		pose_of(rig, arena, "{'look_at': 'rest', 'joint': 'C', 'target': [0, 0, -2]}");
	assert_near(fabs((double)back.local[2].rotation[1]), 1, 1e-6);
	// At the target itself there is no direction.
	const struct pose here =
		pose_of(rig, arena, "{'look_at': 'rest', 'joint': 'C', 'target': [0, 0, 0]}");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	expect_same_pose(&here, &rest);
	arena_destroy(arena);
	rig_release(rig);
}

static void up_stays_upright(void **state) {
	(void)state;
	unsigned seed = 52;
	for (unsigned round = 0; round < 200; round++) {
		struct rig *rig = rig_chain(round, 3);
		struct arena *arena = arena_create();
		double target[3] = {3 * random_number(&seed), random_number(&seed), 4};
		const double axis[3] = {1, 0, 0}, up[3] = {0, 0, 1};
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'look_at': 'rest', 'joint': 'J2', 'axis': [1,0,0], 'up': [0,0,1],"
				"'target': [%.17g,%.17g,%.17g]}",
				target[0], target[1], target[2]));
		assert_near(misses(rig, &pose, 2, axis, target), 0, 1e-6);
		double m[12], direction[3], upward[3], side[3];
		joint_matrix(rig, &pose, 2, m);
		mat_map_direction(m, axis, direction);
		mat_map_direction(m, up, upward);
		vec3_cross(direction, upward, side);
		assert_near(side[1], 0, 1e-6); // up lies in the upright plane of the look
		assert_true(upward[1] > 0);
		arena_destroy(arena);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(any_joint_looks_there),
		cmocka_unit_test(shares_and_limits_of_the_turn_are_known),
		cmocka_unit_test(up_stays_upright),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
