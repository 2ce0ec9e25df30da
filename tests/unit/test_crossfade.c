// Crossfades: what is refused, easing, the clock, and what only one of the two poses drives.
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"

#define JOINTS 4

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'crossfade': ['rest', 'rest']}", ERROR_INVALID_VALUE, "", "needs \"share\""},
		{"{'crossfade': 'rest', 'share': 0}", ERROR_INVALID_VALUE, "/crossfade",
			"two poses"},
		{"{'crossfade': ['rest', 'rest', 'rest'], 'share': 0}", ERROR_INVALID_VALUE,
			"/crossfade", "two poses"},
		{"{'crossfade': ['rest', 'rset'], 'share': 0}", ERROR_UNKNOWN_OPERATION,
			"/crossfade/1", "rset"},
		{"{'crossfade': ['rset', 'rest'], 'share': 1}", ERROR_UNKNOWN_OPERATION,
			"/crossfade/0", "rset"},
		{"{'crossfade': ['rest', 'rest'], 'share': 1.1}", ERROR_INVALID_VALUE, "/share",
			"from 0 to 1"},
		{"{'crossfade': ['rest', 'rest'], 'share': 1, 'elapsed': 1}", ERROR_INVALID_VALUE,
			"/share", "\"duration\""},
		{"{'crossfade': ['rest', 'rest'], 'elapsed': 1}", ERROR_INVALID_VALUE, "",
			"go together"},
		{"{'crossfade': ['rest', 'rest'], 'duration': 1}", ERROR_INVALID_VALUE, "",
			"go together"},
		{"{'crossfade': ['rest', 'rest'], 'elapsed': 1, 'duration': 0}",
			ERROR_INVALID_VALUE, "/duration", "above 0"},
		{"{'crossfade': ['rest', 'rest'], 'share': 0, 'easing': 'ease'}",
			ERROR_INVALID_VALUE, "/easing", "linear, smooth, smoother, cos, exp"},
		{"{'crossfade': ['rest', 'rest'], 'share': 0, 'frozen': 1}", ERROR_INVALID_VALUE,
			"/frozen", "true or false"},
		{"{'crossfade': ['rest', 'rest'], 'share': 0, 'rotation': 'lerp'}",
			ERROR_INVALID_VALUE, "/rotation", "nlerp"},
		{"{'crossfade': ['rest', 'rest'], 'share': 0, 'mask': {}}", ERROR_UNKNOWN_MEMBER,
			"/mask", "crossfade, share"},
	};
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void ends_are_the_poses_and_between_is_their_blend(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 41;
	// At 1/4 of the time smooth is at 5/32.
	static const struct {
		const char *moment;
		double weight;
	} cases[] = {
		{"'share': 0", 0},
		{"'share': 0, 'easing': 'exp'", 0},
		{"'share': 0.25", 0.25},
		{"'share': 0.25, 'easing': 'smooth'", 0.15625},
		{"'elapsed': 0.5, 'duration': 2, 'easing': 'smooth'", 0.15625},
		{"'elapsed': 0.5, 'duration': 2, 'rotation': 'slerp'", 0.25},
		{"'elapsed': -3, 'duration': 2", 0},
		{"'elapsed': 3, 'duration': 2", 1},
		{"'share': 1, 'easing': 'cos'", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *a = random_pose(arena, rig, &seed), *b = random_pose(arena, rig, &seed);
		const struct pose faded = pose_of(rig, arena,
			arena_printf(arena, "{'crossfade': [%s, %s], %s}", a, b, cases[i].moment));
		const struct pose blended = pose_of(rig, arena,
			arena_printf(arena,
				"{'blend': [{'pose': %s, 'weight': %.9g}, {'pose': %s, 'weight': "
				"%.9g}],"
				"'rotation': '%s'}",
				a, 1 - cases[i].weight, b, cases[i].weight,
				strstr(cases[i].moment, "slerp") ? "slerp" : "nlerp"));
		expect_same_pose(&faded, &blended);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void what_one_pose_alone_drives_fades_from_and_to_rest(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	const struct constant_channel one = {1, CHANNEL_TRANSLATION, {4, 8, 0}};
	const struct constant_channel two = {2, CHANNEL_TRANSLATION, {0, 4, 8}};
	rig_add_clip(rig, "one", 1, &one);
	rig_add_clip(rig, "two", 1, &two);
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(
		rig, arena, "{'crossfade': [{'clip': 'one'}, {'clip': 'two'}], 'share': 0.25}");
	for (int k = 0; k < 3; k++) {
		const double r1 = rig->joints[1].rest.translation[k];
		const double r2 = rig->joints[2].rest.translation[k];
		assert_near(pose.local[1].translation[k], 0.75 * one.values[k] + 0.25 * r1, 1e-6);
		assert_near(pose.local[2].translation[k], 0.75 * r2 + 0.25 * two.values[k], 1e-6);
	}
	assert_memory_equal(&pose.local[3], &rig->joints[3].rest, sizeof pose.local[3]);
	const unsigned char driven[JOINTS] = {
		0, 1 << CHANNEL_TRANSLATION, 1 << CHANNEL_TRANSLATION, 0};
	assert_memory_equal(pose.driven, driven, JOINTS);
	arena_destroy(arena);
	rig_release(rig);
}

static struct pose later(
	const struct rig *rig, struct arena *arena, const char *expression, double clock_s) {
	struct pose_context context = pose_context_make(rig, arena, NULL);
	context.time.clock_s = clock_s;
	struct pose pose;
	struct error err = {0};
	assert_true(pose_evaluate(&context, json_value(arena, expression), &pose, &err));
	return pose;
}

static void clock_moves_the_fade_and_both_poses_but_a_frozen_one(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	const char *const format =
		"{'crossfade': [{'clip': 'Walk', 'time': %g}, {'clip': 'Run', 'time': %g}],"
		"'elapsed': %g, 'duration': 0.5%s}";
	const char *const moving = arena_printf(arena, format, 0.25, 0.125, 0.0, "");
	const char *const frozen =
		arena_printf(arena, format, 0.25, 0.125, 0.0, ", 'frozen': true");
	const struct pose a = later(rig, arena, moving, 0.25), b = later(rig, arena, frozen, 0.25);
	const struct pose both =
		pose_of(rig, arena, arena_printf(arena, format, 0.5, 0.375, 0.25, ""));
	const struct pose one =
		pose_of(rig, arena, arena_printf(arena, format, 0.25, 0.375, 0.25, ""));
	expect_same_pose(&a, &both);
	expect_same_pose(&b, &one);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(ends_are_the_poses_and_between_is_their_blend),
		cmocka_unit_test(what_one_pose_alone_drives_fades_from_and_to_rest),
		cmocka_unit_test(clock_moves_the_fade_and_both_poses_but_a_frozen_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
