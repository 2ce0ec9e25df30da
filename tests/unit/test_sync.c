// Clips in step: what is refused, METHODS C.11's numbers, and feet that come down.
#include "check.h"
#include "json_value.h"
#include "pose/blend/markers.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'sync': []}", ERROR_INVALID_VALUE, "/sync", "a list of 1 to 256"},
		{"{'sync': {'clip': 'Walk'}}", ERROR_INVALID_VALUE, "/sync", "a list of 1"},
		{"{'sync': [{'weight': 1}]}", ERROR_INVALID_VALUE, "/sync/0", "\"clip\""},
		{"{'sync': [{'clip': 'Wlak'}]}", ERROR_UNKNOWN_CLIP, "/sync/0/clip", "Walk"},
		{"{'sync': [{'clip': 'Walk', 'time': 1}]}", ERROR_UNKNOWN_MEMBER, "/sync/0/time",
			"clip, weight, mask, markers"},
		{"{'sync': [{'clip': 'Walk', 'weight': -1}]}", ERROR_INVALID_VALUE,
			"/sync/0/weight", "0 or more"},
		{"{'sync': [{'clip': 'Walk', 'mask': {'x': 1}}]}", ERROR_UNKNOWN_JOINT,
			"/sync/0/mask/x", "x"},
		{"{'sync': [{'clip': 'Walk'}], 'time': 1, 'phase': 1}", ERROR_INVALID_VALUE,
			"/phase", "one of them"},
		{"{'sync': [{'clip': 'Walk'}], 'phase': 1.5}", ERROR_INVALID_VALUE, "/phase",
			"from 0 to 1"},
		{"{'sync': [{'clip': 'Walk'}], 'markers': 'hands'}", ERROR_INVALID_VALUE,
			"/markers", "none, feet"},
		{"{'sync': [{'clip': 'Walk', 'markers': []}]}", ERROR_INVALID_VALUE,
			"/sync/0/markers", "1 to 64"},
		{"{'sync': [{'clip': 'Walk', 'markers': ['x']}]}", ERROR_INVALID_VALUE,
			"/sync/0/markers/0", "a string"},
		{"{'sync': [{'clip': 'Walk', 'markers': [1.09]}]}", ERROR_INVALID_VALUE,
			"/sync/0/markers/0", "below the clip's duration"},
		{"{'sync': [{'clip': 'Walk', 'markers': [0.5, 0.2, 0.6]}]}", ERROR_INVALID_VALUE,
			"/sync/0/markers/2", "order of the cycle"},
		{"{'sync': [{'clip': 'Walk', 'markers': [0.5, 0.5]}]}", ERROR_INVALID_VALUE,
			"/sync/0/markers/1", "order of the cycle"},
		{"{'sync': [{'clip': 'Walk', 'markers': [0.5]}, {'clip': 'Run'}]}",
			ERROR_INVALID_VALUE, "/sync/1",
			"here they are none, in the first clip 0.5"},
		{"{'sync': [{'clip': 'Walk'}, {'clip': 'Idle'}], 'markers': 'feet'}",
			ERROR_INVALID_VALUE, "/sync/1", "no foot takes steps"},
		{"{'sync': [{'clip': 'Walk'}, {'clip': 'Run', 'markers': [0]}], 'markers': 'feet'}",
			ERROR_INVALID_VALUE, "/sync/1", "left 0.0"},
		{"{'scale_time': {'sync': [{'clip': 'Walk'}], 'time': 1e308}, 'factor': 1e10}",
			ERROR_INVALID_VALUE, "/scale_time", "farther than numbers"},
	};
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
	static const struct pose_refusal footless = {
		"{'sync': [{'clip': 'still'}], 'markers': 'feet'}", ERROR_INVALID_VALUE, "/sync/0",
		"not known"};
	struct rig *chain = rig_random(5, 3, 1, 4);
	const struct constant_channel still = {1, CHANNEL_TRANSLATION, {4, 8, 0}};
	rig_add_clip(chain, "still", 1, &still);
	expect_pose_refusals(chain, &footless, 1);
	rig_release(chain);
}

static void marker_times_are_joined_evenly(void **state) {
	(void)state;
	const struct markers none = {0};
	assert_near(markers_time(&none, 2, 0.25), 0.5, 0);
	// Three markers in a clip of 2 s, over its end: 1.5, 1.75 and 0.5.
	const struct markers markers = {.count = 3, .times_s = {1.5, 1.75, 2.5}};
	assert_near(markers_time(&markers, 2, 0), 1.5, 0);
	assert_near(markers_time(&markers, 2, 1.0 / 6), 1.625, 1e-15);
	assert_near(markers_time(&markers, 2, 1.0 / 3), 1.75, 1e-15);
	assert_near(markers_time(&markers, 2, 0.5), 2.125, 1e-15);
	assert_near(markers_time(&markers, 2, 2.0 / 3), 2.5, 1e-15);
	assert_near(markers_time(&markers, 2, 5.0 / 6), 3, 1e-15);
	assert_near(markers_time(&markers, 2, 1), 3.5, 1e-15);
}

/* Fails unless the first expression is the blend of the demo's Walk and Run at these times. */
static void expect_walk_and_run(
	const struct rig *rig, const char *sync, double walk_s, double run_s, double run_weight) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena, sync);
	const struct pose expected = pose_of(rig, arena,
		arena_printf(arena,
			"{'blend': [{'pose': {'clip': 'Walk', 'time': %.17g, 'loop': 'repeat'}},"
			"{'pose': {'clip': 'Run', 'time': %.17g, 'loop': 'repeat'}, 'weight': "
			"%.17g}]}",
			walk_s, run_s, run_weight));
	expect_near_pose(&pose, &expected, 1e-6);
	arena_destroy(arena);
}

static void cycles_have_the_mean_length_and_go_on(void **state) {
	(void)state;
	// Walk lasts 1.08 s and Run 0.7 s: with equal weights the cycle lasts 0.89 s.
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	const char *const clips = "{'sync': [{'clip': 'Walk'}, {'clip': 'Run'}], ";
	struct arena *arena = arena_create();
	static const double times[] = {0.445, 0.445 + 0.89, 0.445 - 3 * 0.89};
	for (int i = 0; i < 3; i++) {
		expect_walk_and_run(rig, arena_printf(arena, "%s'time': %.17g}", clips, times[i]),
			0.54, 0.35, 1);
	}
	expect_walk_and_run(rig, arena_printf(arena, "%s'phase': 0.25}", clips), 0.27, 0.175, 1);
	// Three times the weight on Run: 0.795 s.
	expect_walk_and_run(rig,
		"{'sync': [{'clip': 'Walk', 'weight': 1e300}, {'clip': 'Run', 'weight': 3e300}],"
		"'time': 0.1590}",
		0.216, 0.14, 3);
	// By markers: half way between the second and the first of the next turn.
	expect_walk_and_run(rig,
		"{'sync': [{'clip': 'Walk', 'markers': [0.08, 0.58]},"
		"{'clip': 'Run', 'markers': [0.6, 0.2]}], 'phase': 0.75}",
		0.87, 0.4, 1);
	// The clock and its speed.
	expect_walk_and_run(rig,
		"{'scale_time': {'sync': [{'clip': 'Walk'}, {'clip': 'Run'}], 'time': 0.2225},"
		"'factor': 2}",
		0.54, 0.35, 1);
	expect_walk_and_run(rig,
		"{'reverse': {'sync': [{'clip': 'Walk'}, {'clip': 'Run'}], 'phase': 0.25}}", 0.81,
		0.525, 1);
	arena_destroy(arena);
	rig_release(rig);
}

static void one_clip_and_one_weight_are_the_clip_to_the_bit(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	const struct pose clip = pose_of(rig, arena, "{'clip': 'Walk', 'phase': 0.375}");
	const struct pose alone =
		pose_of(rig, arena, "{'sync': [{'clip': 'Walk'}], 'phase': 0.375}");
	const struct pose weighted = pose_of(rig, arena,
		"{'sync': [{'clip': 'Run', 'weight': 0}, {'clip': 'Walk'}], 'phase': 0.375}");
	const struct pose masked = pose_of(rig, arena,
		"{'sync': [{'clip': 'Run', 'mask': {'Hips': 0}}, {'clip': 'Walk'}], 'phase': "
		"0.375}");
	expect_same_pose(&alone, &clip);
	expect_same_pose(&weighted, &clip);
	expect_same_pose(&masked, &clip);
	const struct pose nothing =
		pose_of(rig, arena, "{'sync': [{'clip': 'Walk', 'weight': 0}], 'time': 0.3}");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	expect_same_pose(&nothing, &rest);
	arena_destroy(arena);
	rig_release(rig);
}

static void expect_steps(
	const struct rig *rig, const char *name, double left, double right, double tolerance) {
	const struct clip *clip = &rig->clips[rig_find_clip(rig, name)];
	struct markers markers;
	assert_true(foot_markers_find(rig, clip, &markers));
	assert_int_equal(markers.count, 2);
	assert_int_equal(markers.sides[0], MARKER_LEFT);
	assert_int_equal(markers.sides[1], MARKER_RIGHT);
	const double expected[2] = {left, right};
	for (int i = 0; i < 2; i++) {
		const double apart = markers.times_s[i] / clip->duration_s - expected[i];
		assert_near(apart - floor(apart + 0.5), 0, tolerance);
	}
}

static void feet_come_down_where_the_gait_has_them(void **state) {
	(void)state;
	// The demo's cycles begin as the left heel strikes; the right one is half a cycle later.
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	expect_steps(rig, "Walk", 0, 0.5, 0.02);
	expect_steps(rig, "Run", 0, 0.5, 0.02);
	struct markers markers;
	assert_true(foot_markers_find(rig, &rig->clips[rig_find_clip(rig, "Idle")], &markers));
	assert_int_equal(markers.count, 0);
	struct arena *arena = arena_create();
	const struct pose in_step = pose_of(rig, arena,
		"{'sync': [{'clip': 'Walk'}, {'clip': 'Run'}], 'markers': 'feet', 'phase': 0.25}");
	struct markers walk, run;
	foot_markers_find(rig, &rig->clips[rig_find_clip(rig, "Walk")], &walk);
	foot_markers_find(rig, &rig->clips[rig_find_clip(rig, "Run")], &run);
	const struct pose given = pose_of(rig, arena,
		arena_printf(arena,
			"{'blend': [{'pose': {'clip': 'Walk', 'time': %.17g, 'loop': 'repeat'}},"
			"{'pose': {'clip': 'Run', 'time': %.17g, 'loop': 'repeat'}}]}",
			(walk.times_s[0] + walk.times_s[1]) / 2,
			(run.times_s[0] + run.times_s[1]) / 2));
	expect_near_pose(&in_step, &given, 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

static void feet_of_a_real_rig_come_down_in_turn(void **state) {
	(void)state;
	struct rig *rig = shared_rig("kaykit-adventurers/Characters/gltf/Knight.glb");
	static const char *const clips[] = {"Walking_A", "Walking_B", "Walking_C",
		"Walking_Backwards", "Running_A", "Running_B", "Running_Strafe_Left"};
	for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
		struct markers markers;
		const struct clip *clip = &rig->clips[rig_find_clip(rig, clips[i])];
		assert_true(foot_markers_find(rig, clip, &markers));
		assert_int_equal(markers.count, 2);
		assert_int_equal(markers.sides[0], MARKER_LEFT);
		assert_int_equal(markers.sides[1], MARKER_RIGHT);
		const double apart_s = markers.times_s[1] - markers.times_s[0];
		assert_near(apart_s / clip->duration_s, 0.5, 0.06);
	}
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(marker_times_are_joined_evenly),
		cmocka_unit_test(cycles_have_the_mean_length_and_go_on),
		cmocka_unit_test(one_clip_and_one_weight_are_the_clip_to_the_bit),
		cmocka_unit_test(feet_come_down_where_the_gait_has_them),
		cmocka_unit_test(feet_of_a_real_rig_come_down_in_turn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
