// Evaluations that share one request: time, notes, the bound on work, other rigs.
#include "check.h"
#include "json_value.h"
#include "poses.h"
#include "rigs.h"

static void count_up(void *what) {
	int *count = what;
	*count = *count * 10 + 1;
}

static void count_twice(void *what) {
	int *count = what;
	*count = *count * 10 + 2;
}

static void deferred_calls_run_last_first_and_once(void **state) {
	(void)state;
	int count = 0;
	struct arena *arena = arena_create();
	arena_defer(arena, count_up, &count);
	arena_defer(arena, count_twice, &count);
	arena_reset(arena);
	assert_int_equal(count, 21);
	arena_destroy(arena);
	assert_int_equal(count, 21);
}

static void notes_are_kept_by_place(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena};
	const struct value *list = json_value(arena, "[1, 2, 3]");
	for (int i = 0; i < 3; i++) {
		int *note = pose_run_recall(&run, &list->items[i], sizeof *note);
		assert_int_equal(*note, 0);
		*note = i + 1;
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
			*(int *)pose_run_recall(&run, &list->items[i], sizeof(int)), i + 1);
	}
	arena_destroy(arena);
}

static void work_has_a_bound(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena, .joints = POSE_RUN_JOINTS - 100};
	const struct value *place = json_value(arena, "{'a': 'rest'}");
	struct error err = {0};
	assert_true(pose_run_spend(&run, &place->items[0], 100, &err));
	assert_false(pose_run_spend(&run, &place->items[0], 1, &err));
	expect_error(&err, ERROR_TOO_LARGE, "/a", "steps");
	arena_destroy(arena);
}

static void memory_has_a_bound(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *rig = rig_random(1, 4096, 4, 4);
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct pose pose = pose_rest(rig, arena);
	struct error err = {0};
	// As if so much were taken already.
	context.bytes_before -= POSE_RUN_BYTES - ((size_t)1 << 20);
	assert_true(
		pose_evaluate_into(&context, json_value(arena, "{'reset': 'rest'}"), &pose, &err));
	const struct value *expression = json_value(arena,
		"{'inertialize': {'inertialize': 'rest', 'from': 'rest', 'elapsed': 0}, 'from': "
		"'rest', 'elapsed': 0}");
	assert_false(pose_evaluate_into(&context, expression, &pose, &err));
	expect_error(&err, ERROR_TOO_LARGE, "/inertialize/from", "256 MiB");
	rig_release(rig);
	arena_destroy(arena);
}

static void other_rigs_are_listed_once_and_found(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct value *expression = json_value(arena,
		"{'blend': [{'pose': {'retarget': 'rest', 'rig': 'a'}}, {'pose': {'retarget':"
		"{'retarget': 'rest', 'rig': 'b'}, 'rig': 'a'}}], 'rig': 'c'}");
	const struct value *names[2];
	assert_int_equal(pose_sources_list(expression, names, 0, 2), 2);
	assert_string_equal(names[0]->string, "a");
	assert_string_equal(names[1]->string, "b");
	assert_int_equal(pose_sources_list(expression, names, 0, 1), 2);
	struct rig *rig = rig_cyl2();
	const struct pose_source items[] = {{"a", rig}};
	const struct pose_sources sources = {items, 1};
	struct error err = {0};
	assert_ptr_equal(pose_sources_find(&sources, names[0], &err), rig);
	const struct value *b = json_value(arena, "{'rig': 'b'}");
	assert_null(pose_sources_find(&sources, &b->items[0], &err));
	expect_error(&err, ERROR_UNKNOWN_RIG, "/rig", "\"b\"");
	rig_release(rig);
	arena_destroy(arena);
}

/* x of joint 1 of "Slide", which goes from 0 to 4 in two seconds. */
static float slide(struct pose_time time, double later_s, const char *expression) {
	static const float times[] = {0, 2}, values[] = {0, 0, 0, 4, 0, 0};
	struct channel channel = {.joint = 1,
		.path = CHANNEL_TRANSLATION,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = 2,
		.width = 3,
		.times = times,
		.values = values};
	struct clip clip = {
		.name = "Slide", .duration_s = 2, .channel_count = 1, .channels = &channel};
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	rig->clips = &clip;
	rig->clip_count = 1;
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct pose pose = pose_rest(rig, arena);
	context.time = time;
	assert_true(
		pose_evaluate_later(&context, json_value(arena, expression), later_s, &pose, NULL));
	assert_near(context.time.clock_s, time.clock_s, 0);
	const float x = pose.local[1].translation[0];
	rig->clip_count = 0;
	rig->clips = NULL;
	rig_release(rig);
	arena_destroy(arena);
	return x;
}

static void clips_run_on_by_the_clock(void **state) {
	(void)state;
	const struct pose_time now = {.speed = 1}, twice = {.clock_s = 0.25, .speed = 2};
	const struct pose_time back = {.clock_s = 0.25, .speed = 1, .reversed = true};
	assert_near(slide(now, 0, "{'clip': 'Slide', 'time': 0.5}"), 1, 0);
	assert_near(slide(now, 0.5, "{'clip': 'Slide', 'time': 0.5}"), 2, 0);
	assert_near(slide(now, 0.5, "{'clip': 'Slide', 'phase': 0.25}"), 2, 0);
	assert_near(slide(twice, 0, "{'clip': 'Slide', 'time': 0.5}"), 3, 0);
	assert_near(slide(back, 0, "{'clip': 'Slide', 'time': 0.25}"), 3, 0);
	assert_near(slide(now, 2, "{'clip': 'Slide', 'time': 0.5, 'loop': 'repeat'}"), 1, 0);
}

/* A file may have no nodes, and clips that move nothing. */
static void rigs_without_joints_have_poses(void **state) {
	(void)state;
	static const struct {
		const char *expression;
		bool refused;
	} rows[] = {
		{"'rest'", false},
		{"{'clip': 'still', 'time': 0.5, 'sampler': 'squad'}", false},
		{"{'blend': [{'pose': 'rest'}, {'pose': {'clip': 'still'}}]}", false},
		{"{'crossfade': ['rest', {'clip': 'still'}], 'share': 0.5}", false},
		{"{'sync': [{'clip': 'still'}]}", false},
		{"{'sync': [{'clip': 'still'}], 'markers': 'feet'}", true},
		{"{'blend_space': [{'at': 0, 'pose': 'rest'}], 'at': 0}", false},
		{"{'layers': ['rest', {'pose': {'clip': 'still'}, 'space': 'model'}]}", false},
		{"{'transition': ['still', 'still']}", false},
		{"{'inertialize': 'rest', 'from': 'rest', 'elapsed': 0}", false},
		{"{'add': 'rest', 'to': 'rest', 'space': 'model', 'order': 'pre'}", false},
		{"{'mirror': 'rest'}", false},
		{"{'limit': 'rest', 'limits': {}}", false},
		{"{'root_motion': 'rest', 'mode': 'zero'}", true},
		{"{'root_motion': {'clip': 'still'}, 'mode': 'accumulate'}", true},
		{"{'reset': 'rest'}", false},
		{"{'foot_lock': {'clip': 'still'}}", true},
		{"{'ragdoll': 'rest', 'time': 1}", true},
		{"{'set': 'rest', 'joints': {}}", false},
	};
	struct clip clip = {.name = "still", .duration_s = 1};
	struct rig *rig = rig_create();
	struct arena *arena = arena_create();
	rig->clips = &clip;
	rig->clip_count = 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pose_context context = pose_context_make(rig, arena, NULL);
		struct pose pose;
		struct error err = {0};
		const bool ok =
			pose_evaluate(&context, json_value(arena, rows[i].expression), &pose, &err);
		if (ok == rows[i].refused || (!ok && !err.has_pointer)) {
			fail_msg("%s: %s", rows[i].expression, err.text);
		}
	}
	rig->clip_count = 0;
	rig->clips = NULL;
	rig_release(rig);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deferred_calls_run_last_first_and_once),
		cmocka_unit_test(notes_are_kept_by_place),
		cmocka_unit_test(work_has_a_bound),
		cmocka_unit_test(memory_has_a_bound),
		cmocka_unit_test(other_rigs_are_listed_once_and_found),
		cmocka_unit_test(clips_run_on_by_the_clock),
		cmocka_unit_test(rigs_without_joints_have_poses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
