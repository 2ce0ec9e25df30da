// Feet that stand still: what is refused, contacts of a known motion, and slides before and after.
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "json_value.h"
#include "pose/ik/contacts.h"
#include "poses.h"
#include "reach.h"
#include "shared_files.h"
#include "trees.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'foot_lock': 'rset'}", ERROR_UNKNOWN_OPERATION, "/foot_lock", "rset"},
		{"{'foot_lock': 'rest', 'feet': ['C']}", ERROR_INVALID_VALUE, "/foot_lock",
			"give \"duration\""},
		{"{'foot_lock': 'rest', 'duration': 1}", ERROR_INVALID_VALUE, "", "give \"feet\""},
		{"{'foot_lock': 'rest', 'duration': 0}", ERROR_INVALID_VALUE, "/duration",
			"above 0"},
		{"{'foot_lock': 'rest', 'duration': 1e6}", ERROR_INVALID_VALUE, "/duration",
			"up to 110"},
		{"{'foot_lock': 'rest', 'duration': 1, 'feet': []}", ERROR_INVALID_VALUE, "/feet",
			"1 to 8"},
		{"{'foot_lock': 'rest', 'duration': 1, 'feet': ['X']}", ERROR_UNKNOWN_JOINT,
			"/feet/0", "nearest"},
		{"{'foot_lock': 'rest', 'duration': 1, 'feet': ['B']}", ERROR_INVALID_VALUE,
			"/feet/0", "no two joints above"},
		{"{'foot_lock': 'rest', 'duration': 1, 'feet': ['C', 'C']}", ERROR_INVALID_VALUE,
			"/feet/1", "twice"},
		{"{'foot_lock': 'rest', 'ground': 'x'}", ERROR_INVALID_VALUE, "/ground", "string"},
		{"{'foot_lock': 'rest', 'ground': {'normal': [0,0,0]}}", ERROR_INVALID_VALUE,
			"/ground/normal", "zero"},
		{"{'foot_lock': 'rest', 'ground_velocity': [1e39,0,0]}", ERROR_INVALID_VALUE,
			"/ground_velocity/0", "farther"},
		{"{'foot_lock': 'rest', 'height': 0}", ERROR_INVALID_VALUE, "/height", "above 0"},
		{"{'foot_lock': 'rest', 'speed': -1}", ERROR_INVALID_VALUE, "/speed", "above 0"},
		{"{'foot_lock': 'rest', 'fade': 0}", ERROR_INVALID_VALUE, "/fade", "above 0"},
		{"{'foot_lock': 'rest', 'weight': 2}", ERROR_INVALID_VALUE, "/weight", "0 to 1"},
	};
	struct rig *rig = rig_tree("A(B(C(D)))");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void contacts_of_a_step_are_known(void **state) {
	(void)state;
	// Ten steps of 0.1 s: down from 0.3 s to 0.6 s, drifting by 1 cm a step, else up and away.
	double positions[10][3] = {{0}};
	for (int i = 0; i < 10; i++) {
		const bool down = i >= 3 && i <= 6;
		positions[i][0] = down ? 1 + 0.01 * i : 5.0 * i;
		positions[i][1] = down ? 0.08 : 0.5;
	}
	const struct ground ground = {.normal = {0, 1, 0}};
	const struct contact_rule rule = {.height = 0.05, .speed = 0.6, .sole = 0.1};
	struct contact contact[2];
	// At both ends the neighbour is far away, and too fast.
	assert_int_equal(contacts_find((const double(*)[3])positions, 10, 0, 0.1, &ground, &rule, 0,
				 1, contact, 2),
		1);
	assert_near(contact[0].begin_s, 0.4, 1e-12);
	assert_near(contact[0].end_s, 0.5, 1e-12);
	assert_near(contact[0].anchor[0], 1.045, 1e-12);
	double offset[3];
	contacts_offset(contact, 1, &ground, rule.sole, 0.1, 0.45, positions[4], offset);
	assert_near(offset[0], 0.005, 1e-12);
	assert_near(offset[1], 0.02, 1e-12);
	contacts_offset(contact, 1, &ground, rule.sole, 0.1, 0.55, positions[6], offset);
	assert_near(offset[0], -0.0025, 1e-12); // half way out
	contacts_offset(contact, 1, &ground, rule.sole, 0.1, 0.61, positions[6], offset);
	assert_near(vec3_length(offset), 0, 0);
	assert_int_equal(contacts_find((const double(*)[3])positions, 10, 0, 0.1, &ground, &rule,
				 0.6, 1, contact, 2),
		0);
}

/* METHODS F, foot_slide: metres that a foot slides on the ground per second, weighted by how low it
 * is; the greatest jump from one sample to the next goes to *jump. */
static double slide(const struct rig *rig, const char *expression, int foot, double duration_s,
	double ground_speed, double *jump) {
	enum { SAMPLES = 240 };
	static double at[SAMPLES][3];
	struct arena *arena = arena_create();
	struct pose_context context = pose_context_make(rig, arena, NULL);
	const struct value *value = json_value(arena, expression);
	const double step_s = duration_s / SAMPLES;
	struct pose pose = pose_rest(rig, arena);
	double lowest = 1e9, sum = 0;
	for (int i = 0; i < SAMPLES; i++) {
		struct error err = {0};
		if (!pose_evaluate_later(&context, value, i * step_s, &pose, &err)) {
			fail_msg("%s", err.text);
		}
		expect_sound_pose(&pose);
		joint_position(rig, &pose, foot, at[i]);
		lowest = fmin(lowest, at[i][1]);
	}
	*jump = 0;
	for (int i = 1; i < SAMPLES; i++) {
		const double x = at[i][0] - at[i - 1][0];
		const double z = at[i][2] - at[i - 1][2] + ground_speed * step_s;
		const double height = at[i][1] - lowest, moved = sqrt(x * x + z * z);
		double v[3];
		vec3_sub(at[i], at[i - 1], v);
		*jump = fmax(*jump, vec3_length(v));
		if (height < 0.05 && moved / step_s < 0.6) {
			sum += moved * fmax(0, fmin(1, 2 - pow(2, height / 0.025)));
		}
	}
	arena_destroy(arena);
	return sum / duration_s;
}

/* The demo humanoid, which stands on the ground and is 1.75 m tall. */
static struct rig *humanoid(void) {
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	rig->bounds =
		(struct bounds){{-1, 0, -1}, {1, 1.75, 1}}; // whoever loads rigs measures them
	return rig;
}

static void a_walk_stops_sliding(void **state) {
	(void)state;
	struct rig *rig = humanoid();
	struct arena *arena = arena_create();
	const int foot = rig_find_joint(rig, "LeftFoot");
	// Walked faster than it was made for, the feet slide over the ground.
	const char *walk = "{'clip': 'Walk', 'loop': 'repeat'}";
	const char *locked = arena_printf(
		arena, "{'foot_lock': %s, 'ground_velocity': [0, 0, -1.35], 'fade': 0.12}", walk);
	double before_jump, after_jump;
	const double before = slide(rig, walk, foot, 2.16, 1.35, &before_jump);
	const double after = slide(rig, locked, foot, 2.16, 1.35, &after_jump);
	print_message("walk: slides %.4f m/s, locked %.4f; greatest step %.4f and %.4f m\n", before,
		after, before_jump, after_jump);
	assert_true(before > 0.05 && after < 0.25 * before);
	assert_true(after_jump < 1.6 * before_jump);
	// At the speed that it was made for the ankle rolls over the sole, and slides a little,
	// too.
	const double own_before = slide(rig, walk, foot, 2.16, 1.2, &before_jump);
	const double own_after = slide(rig,
		arena_printf(arena, "{'foot_lock': %s, 'ground_velocity': [0, 0, -1.2]}", walk),
		foot, 2.16, 1.2, &after_jump);
	print_message("at its own speed %.4f m/s and %.4f\n", own_before, own_after);
	assert_true(own_after < 0.25 * own_before);
	arena_destroy(arena);
	rig_release(rig);
}

static void standing_feet_get_to_the_ground(void **state) {
	(void)state;
	struct rig *rig = humanoid();
	struct arena *arena = arena_create();
	const int foot = rig_find_joint(rig, "LeftFoot");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	const struct pose pose = pose_of(rig, arena,
		"{'foot_lock': 'rest', 'duration': 1, 'ground': 0.05, 'feet': ['LeftFoot']}");
	double before[3], after[3];
	joint_position(rig, &rest, foot, before);
	joint_position(rig, &pose, foot, after);
	assert_near(after[0], before[0], 1e-6);
	assert_near(after[1], before[1] - rig->bounds.min[1] + 0.05, 1e-6);
	assert_near(after[2], before[2], 1e-6);
	const int other = rig_find_joint(rig, "RightLeg");
	assert_memory_equal(&pose.local[other], &rest.local[other], sizeof *rest.local);
	const struct pose none = pose_of(
		rig, arena, "{'foot_lock': 'rest', 'duration': 1, 'ground': 0.05, 'weight': 0}");
	expect_same_pose(&none, &rest);
	arena_destroy(arena);
	rig_release(rig);
}

/* Run lasts 0.7 s and Idle 4 s: 3 s is in the first duration of Idle, as 0 s is in that of Run. */
static void a_clip_of_another_length_is_looked_at_anew(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	const struct value *value = json_value(arena,
		"{'foot_lock': {'transition': ['Run', 'Idle'], 'at': [0.1, 0.1], 'tolerance': "
		"100}}");
	struct pose poses[2];
	for (int i = 0; i < 2; i++) {
		struct pose_context context = pose_context_make(rig, arena, NULL);
		poses[i] = pose_rest(rig, arena);
		for (double clock_s = i == 0 ? 0 : 3; clock_s < 4; clock_s += 3) {
			assert_true(pose_evaluate_later(&context, value, clock_s, &poses[i], NULL));
		}
	}
	expect_same_pose(&poses[0], &poses[1]);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(contacts_of_a_step_are_known),
		cmocka_unit_test(a_walk_stops_sliding),
		cmocka_unit_test(standing_feet_get_to_the_ground),
		cmocka_unit_test(a_clip_of_another_length_is_looked_at_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
