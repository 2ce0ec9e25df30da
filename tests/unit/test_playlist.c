// Playlists: what is refused, what is seen before, between, after and where entries overlap.
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "pose/motion/root.h"
#include "poses.h"
#include "shared_files.h"

static int set_up(void **state) {
	*state = own_rig("assets/demo/humanoid.glb");
	return 0;
}

static int tear_down(void **state) {
	rig_release(*state);
	return 0;
}

static void refuses_with_the_place(void **state) {
	static const struct pose_refusal rows[] = {
		{"{'playlist': []}", ERROR_INVALID_VALUE, "/playlist", "1 to 256"},
		{"{'playlist': 'rest'}", ERROR_INVALID_VALUE, "/playlist", "1 to 256"},
		{"{'playlist': ['rest']}", ERROR_INVALID_VALUE, "/playlist/0", "object"},
		{"{'playlist': [{'start': 0}]}", ERROR_INVALID_VALUE, "/playlist/0", "\"pose\""},
		{"{'playlist': [{'pose': 'rest'}]}", ERROR_INVALID_VALUE, "/playlist/0",
			"\"start\""},
		{"{'playlist': [{'pose': 'rest', 'start': -0.1}]}", ERROR_INVALID_VALUE,
			"/playlist/0/start", "-0.1"},
		{"{'playlist': [{'pose': 'rest', 'start': 1e10}]}", ERROR_INVALID_VALUE,
			"/playlist/0/start", "from 0 to 1e+09"},
		{"{'playlist': [{'pose': 'rest', 'start': 'x'}]}", ERROR_INVALID_VALUE,
			"/playlist/0/start", "number"},
		{"{'playlist': [{'pose': 'rest', 'start': 0, 'fade': -1}]}", ERROR_INVALID_VALUE,
			"/playlist/0/fade", "-1"},
		{"{'playlist': [{'pose': 'rest', 'start': 2}, {'pose': 'rest', 'start': 1}]}",
			ERROR_INVALID_VALUE, "/playlist/1/start", "the order in which they start"},
		{"{'playlist': [{'pose': 'rest', 'start': 0, 'weight': 1}]}", ERROR_UNKNOWN_MEMBER,
			"/playlist/0/weight", "pose, start, fade, mask"},
		{"{'playlist': [{'pose': 'rest', 'start': 0}], 'loop': 'repeat'}",
			ERROR_UNKNOWN_MEMBER, "/loop", "playlist, time"},
		{"{'scale_time': {'playlist': [{'pose': 'rest', 'start': 0}], 'time': 1e308},"
		 "'factor': 10}",
			ERROR_INVALID_VALUE, "/scale_time", "farther than numbers reach"},
		// Poses that are not visible at the time are checked all the same.
		{"{'playlist': [{'pose': 'rest', 'start': 0}, {'pose': 'rset', 'start': 9}]}",
			ERROR_UNKNOWN_OPERATION, "/playlist/1/pose", "rset"},
		{"{'playlist': [{'pose': {'clip': 'Fly'}, 'start': 0},"
		 "{'pose': 'rest', 'start': 1}], 'time': 5}",
			ERROR_UNKNOWN_CLIP, "/playlist/0/pose/clip", "Fly"},
		{"{'playlist': [{'pose': 'rest', 'start': 9, 'mask': {'Wing': 1}}]}",
			ERROR_UNKNOWN_JOINT, "/playlist/0/mask/Wing", "Wing"},
	};
	expect_pose_refusals(*state, rows, sizeof rows / sizeof *rows);
}

static struct pose later(struct pose_context *context, const struct value *list, double clock_s) {
	struct pose pose;
	struct error err = {0};
	context->time.clock_s = clock_s;
	if (!pose_evaluate(context, list, &pose, &err)) {
		fail_msg("at %g s: %s", clock_s, err.text);
	}
	assert_near(context->time.speed, 1, 0);
	return pose;
}

static struct pose clip_at(
	const struct rig *rig, struct arena *arena, const char *clip, double time_s) {
	return pose_of(rig, arena,
		arena_printf(arena, "{'clip': '%s', 'time': %.17g, 'loop': '%s'}", clip, time_s,
			strcmp(clip, "Wave") == 0 ? "clamp" : "repeat"));
}

/* Without fades it is one clip at a time, whatever times are asked for in whatever order. */
static void one_entry_after_another_is_each_clip_by_itself(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	struct pose_context context = pose_context_make(rig, arena, NULL);
	const struct value *list = json_value(arena,
		"{'playlist': [{'pose': {'clip': 'Walk', 'loop': 'repeat'}, 'start': 0.5},"
		"{'pose': {'clip': 'Idle', 'loop': 'repeat'}, 'start': 2},"
		"{'pose': {'clip': 'Run', 'loop': 'repeat'}, 'start': 2},"
		"{'pose': {'clip': 'Wave'}, 'start': 3.25}]}");
	static const struct {
		double clock_s;
		const char *clip;
		double start_s;
	} rows[] = {
		{2.7, "Run", 2},
		{0.5, "Walk", 0.5},
		{100, "Wave", 3.25},
		{-3, NULL, 0},
		{1.999, "Walk", 0.5},
		{0.49, NULL, 0},
		{2, "Run", 2},
		{3.25, "Wave", 3.25},
		{3.9, "Wave", 3.25},
		{0.7, "Walk", 0.5},
		{2.7, "Run", 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct pose got = later(&context, list, rows[i].clock_s);
		const struct pose want = rows[i].clip
			? clip_at(rig, arena, rows[i].clip, rows[i].clock_s - rows[i].start_s)
			: pose_of(rig, arena, "'rest'");
		expect_same_pose(&got, &want);
		assert_memory_equal(got.driven, want.driven, (size_t)rig->joint_count);
	}
	arena_destroy(arena);
}

/* b with a's share of an arc between unit quaternions, in double precision. */
static void slerp(const float *a, const float *b, double share, double out[static 4]) {
	double dot = 0;
	for (int k = 0; k < 4; k++) {
		dot += (double)a[k] * b[k];
	}
	const double sign = dot < 0 ? -1 : 1, angle = acos(fmin(fabs(dot), 1));
	const double whole = sin(angle);
	for (int k = 0; k < 4; k++) {
		out[k] = angle < 1e-4
			? (1 - share) * a[k] + share * sign * b[k]
			: (sin((1 - share) * angle) * a[k] + sin(share * angle) * sign * b[k]) /
				whole;
	}
}

/* Goes a share of the way from a to b, both of which drive all that is looked at. */
static void fade(struct pose *a, const struct pose *b, double share) {
	for (int i = 0; i < a->joint_count; i++) {
		struct transform *x = &a->local[i];
		const struct transform *y = &b->local[i];
		double turned[4];
		slerp(x->rotation, y->rotation, share, turned);
		for (int k = 0; k < 4; k++) {
			x->rotation[k] = (float)turned[k];
		}
		for (int k = 0; k < 3; k++) {
			x->translation[k] = (float)((1 - share) * x->translation[k] +
				share * y->translation[k]);
			x->scale[k] = (float)((1 - share) * x->scale[k] + share * y->scale[k]);
		}
	}
}

static void fades_are_along_the_arcs_while_both_run_on(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	struct pose_context context = pose_context_make(rig, arena, NULL);
	const struct value *list = json_value(arena,
		"{'playlist': [{'pose': {'clip': 'Walk', 'loop': 'repeat'}, 'start': 0},"
		"{'pose': {'clip': 'Run', 'loop': 'repeat'}, 'start': 1, 'fade': 0.5},"
		"{'pose': {'clip': 'Wave'}, 'start': 1.25, 'fade': 0.75}],"
		"'rotation': 'slerp', 'easing': 'smooth', 'time': 0.25}");
	for (int i = 40; i >= 0; i--) {
		const double t = i * 0.0625, clock_s = t - 0.25;
		const double shares[2] = {
			fmin(fmax((t - 1) / 0.5, 0), 1), fmin(fmax((t - 1.25) / 0.75, 0), 1)};
		struct pose want = clip_at(rig, arena, "Walk", t);
		for (int k = 0; k < 2; k++) {
			const struct pose next = clip_at(
				rig, arena, k == 0 ? "Run" : "Wave", t - (k == 0 ? 1 : 1.25));
			const double x = shares[k];
			fade(&want, &next, x * x * (3 - 2 * x));
		}
		const struct pose got = later(&context, list, clock_s);
		expect_near_pose(&got, &want, 1e-6);
	}
	arena_destroy(arena);
}

static void the_first_fades_in_from_rest(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	struct pose want = pose_of(rig, arena, "'rest'");
	const struct pose walk = clip_at(rig, arena, "Walk", 0.125);
	fade(&want, &walk, 0.25);
	const struct pose got = pose_of(rig, arena,
		"{'playlist': [{'pose': {'clip': 'Walk'}, 'start': 1, 'fade': 0.5}],"
		"'rotation': 'slerp', 'time': 1.125}");
	expect_near_pose(&got, &want, 1e-6);
	arena_destroy(arena);
}

static void a_mask_lays_over_what_runs_on_below(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	static const double times[] = {1, 1.1, 1.9, 5};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		const double t = times[i], share = fmin((t - 1) / 0.2, 1);
		const struct pose got = pose_of(rig, arena,
			arena_printf(arena,
				"{'playlist': [{'pose': {'clip': 'Walk', 'loop': 'repeat'}, "
				"'start': 0},"
				"{'pose': {'clip': 'Wave'}, 'start': 1, 'fade': 0.2, 'mask': "
				"{'Spine': 1}}], 'time': %.17g}",
				t));
		const struct pose want = pose_of(rig, arena,
			arena_printf(arena,
				"{'layers': [{'clip': 'Walk', 'loop': 'repeat', 'time': %.17g},"
				"{'pose': {'clip': 'Wave', 'time': %.17g}, 'mask': {'Spine': 1},"
				"'weight': %.17g}]}",
				t, t - 1, share));
		expect_same_pose(&got, &want);
	}
	arena_destroy(arena);
}

/* Frozen poses and jumps in an entry count from its start. */
static void what_an_entry_waits_for_counts_from_its_start(void **state) {
	const struct rig *rig = *state;
	static const char *const entries[] = {
		"{'crossfade': [{'clip': 'Walk', 'time': 0.3}, {'clip': 'Run'}], 'elapsed': 0,"
		"'duration': 0.5, 'frozen': true}",
		"{'inertialize': {'clip': 'Run'}, 'from': {'clip': 'Walk', 'time': 0.4},"
		"'elapsed': 0.1}",
		"{'scale_time': {'clip': 'Walk', 'loop': 'repeat'}, 'factor': 2}",
		"{'playlist': [{'pose': {'clip': 'Walk'}, 'start': 0.1},"
		"{'pose': {'clip': 'Run'}, 'start': 0.2, 'fade': 0.3}]}",
	};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		struct arena *arena = arena_create();
		struct pose_context alone = pose_context_make(rig, arena, NULL);
		struct pose_context context = pose_context_make(rig, arena, NULL);
		const struct value *entry = json_value(arena, entries[i]);
		const struct value *list = json_value(arena,
			arena_printf(arena,
				"{'playlist': [{'pose': {'clip': 'Idle'}, 'start': 0},"
				"{'pose': %s, 'start': 2}]}",
				entries[i]));
		for (double t = 3; t >= 2; t -= 0.125) {
			const struct pose got = later(&context, list, t);
			const struct pose want = later(&alone, entry, t - 2);
			expect_same_pose(&got, &want);
		}
		arena_destroy(arena);
	}
}

static double length_of(const struct rig *rig, const char *expression) {
	struct arena *arena = arena_create();
	const struct pose_run like = {0};
	double length_s;
	struct error err = {0};
	assert_true(
		pose_find_length(rig, json_value(arena, expression), &like, &length_s, NULL, &err));
	arena_destroy(arena);
	return length_s;
}

static double duration_of(const struct rig *rig, const char *clip) {
	return rig->clips[rig_find_clip(rig, clip)].duration_s;
}

static void it_lasts_until_what_is_in_view_is_over(void **state) {
	const struct rig *rig = *state;
	const double run_s = duration_of(rig, "Run"), wave_s = duration_of(rig, "Wave");
	assert_near(length_of(rig,
			    "{'playlist': [{'pose': {'clip': 'Wave'}, 'start': 0},"
			    "{'pose': {'clip': 'Run'}, 'start': 0.5}]}"),
		0.5 + run_s, 1e-12);
	assert_near(length_of(rig,
			    "{'playlist': [{'pose': {'clip': 'Wave'}, 'start': 0},"
			    "{'pose': {'clip': 'Run'}, 'start': 0.5, 'mask': {'Spine': 1}}]}"),
		fmax(wave_s, 0.5 + run_s), 1e-12);
	assert_near(length_of(rig,
			    "{'playlist': [{'pose': {'clip': 'Wave'}, 'start': 0},"
			    "{'pose': 'rest', 'start': 3, 'fade': 0.5}], 'time': 2}"),
		3.5, 1e-12);
	assert_near(length_of(rig,
			    "{'scale_time': {'playlist': [{'pose': {'scale_time': {'clip': 'Run'},"
			    "'factor': 0.5}, 'start': 1}]}, 'factor': 4}"),
		(1 + 2 * run_s) / 4, 1e-12);
}

/* The whole is to scale_time and reverse what a clip is. */
static void runs_faster_and_backwards_as_a_whole(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const char *const list =
		"'playlist': [{'pose': {'clip': 'Walk', 'loop': 'repeat'}, 'start': 0},"
		"{'pose': {'clip': 'Run'}, 'start': 1.5, 'fade': 0.5}]";
	const double end_s = 1.5 + fmax(0.5, duration_of(rig, "Run"));
	for (double t = 0; t < 2.5; t += 0.25) {
		const struct pose faster = pose_of(rig, arena,
			arena_printf(arena, "{'scale_time': {%s, 'time': %.17g}, 'factor': 2}",
				list, t / 2));
		const struct pose back = pose_of(rig, arena,
			arena_printf(arena, "{'reverse': {%s, 'time': %.17g}}", list, end_s - t));
		const struct pose plain =
			pose_of(rig, arena, arena_printf(arena, "{%s, 'time': %.17g}", list, t));
		expect_same_pose(&faster, &plain);
		expect_near_pose(&back, &plain, 1e-6);
	}
	arena_destroy(arena);
}

/* The way since the list's start, through both clips, as the hips go in the world. */
static void root_motion_is_that_since_the_start(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const char *const list = "{'playlist': [{'pose': {'clip': 'Walk'}, 'start': 0},"
				 "{'pose': {'clip': 'Run'}, 'start': 0.5}], 'time': 0.8}";
	const struct pose start = clip_at(rig, arena, "Walk", 0);
	const struct pose zero = pose_of(rig, arena,
		arena_printf(arena,
			"{'root_motion': %s, 'mode': 'zero', 'joint': 'Hips', 'turn': false}",
			list));
	const int hips = rig_find_joint(rig, "Hips");
	assert_near(zero.local[hips].translation[0], start.local[hips].translation[0], 1e-6);
	assert_near(zero.local[hips].translation[2], start.local[hips].translation[2], 1e-6);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(one_entry_after_another_is_each_clip_by_itself),
		cmocka_unit_test(fades_are_along_the_arcs_while_both_run_on),
		cmocka_unit_test(the_first_fades_in_from_rest),
		cmocka_unit_test(a_mask_lays_over_what_runs_on_below),
		cmocka_unit_test(what_an_entry_waits_for_counts_from_its_start),
		cmocka_unit_test(it_lasts_until_what_is_in_view_is_over),
		cmocka_unit_test(runs_faster_and_backwards_as_a_whole),
		cmocka_unit_test(root_motion_is_that_since_the_start),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
