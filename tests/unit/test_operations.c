// The pose language: every refusal with its place, and what the operations mean.
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "rigs.h"

static const float times[] = {0, 2};
static const float values[] = {0, 0, 0, 4, 0, 0};

/* cyl2 with a clip "Slide" that moves joint 1 along x from 0 to 4 in two seconds. */
static struct rig *rig_with_clip(void) {
	struct rig *rig = rig_cyl2();
	rig->clip_count = 1;
	rig->clips = rig_storage(rig, 1, sizeof *rig->clips, "", NULL);
	struct channel *channels = xcalloc(1, sizeof *channels);
	channels[0] = (struct channel){.joint = 1,
		.path = CHANNEL_TRANSLATION,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = 2,
		.width = 3,
		.times = times,
		.values = values};
	rig->clips[0] = (struct clip){.name = xstrndup("Slide", 5),
		.duration_s = 2,
		.channel_count = 1,
		.channels = channels};
	return rig;
}

struct fixture {
	struct rig *rig;
	struct arena *arena;
	struct value members[4], expression;
};

static void begin(struct fixture *fixture) {
	*fixture = (struct fixture){.rig = rig_with_clip(), .arena = arena_create()};
	fixture->expression = (struct value){.kind = VALUE_OBJECT, .items = fixture->members};
}

static void end(struct fixture *fixture) {
	arena_destroy(fixture->arena);
	rig_release(fixture->rig);
}

static struct value *add(struct fixture *fixture, const char *key, enum value_kind kind) {
	struct value *value = &fixture->members[fixture->expression.count++];
	*value = (struct value){.kind = kind, .key = key, .parent = &fixture->expression};
	return value;
}

static void add_number(struct fixture *fixture, const char *key, double number) {
	add(fixture, key, VALUE_NUMBER)->number = number;
}

static void add_string(struct fixture *fixture, const char *key, const char *string) {
	add(fixture, key, VALUE_STRING)->string = string;
}

/* x of joint 1, NaN when refused (then *err is filled). */
static double evaluate(struct fixture *fixture, struct error *err) {
	struct pose_context context = pose_context_make(fixture->rig, fixture->arena, NULL);
	struct pose pose;
	if (!pose_evaluate(&context, &fixture->expression, &pose, err)) {
		return NAN;
	}
	return pose.local[1].translation[0];
}

static void assert_refused(
	struct fixture *fixture, enum error_code code, const char *pointer, const char *words) {
	struct error err = {0};
	assert_true(isnan(evaluate(fixture, &err)));
	assert_int_equal(err.code, code);
	assert_string_equal(err.pointer, pointer);
	if (!strstr(err.text, words)) {
		fail_msg("\"%s\" lacks \"%s\"", err.text, words);
	}
	end(fixture);
}

static void refuses_unknown_operations_with_the_list(void **state) {
	(void)state;
	struct fixture f;
	begin(&f);
	f.expression = (struct value){.kind = VALUE_STRING, .string = "best"};
	assert_refused(&f, ERROR_UNKNOWN_OPERATION, "", "\"rest\", {\"clip\"}, {\"blend\"}");
	begin(&f);
	add_string(&f, "clop", "Slide");
	assert_refused(&f, ERROR_UNKNOWN_OPERATION, "", "{\"clip\"}");
	begin(&f);
	f.expression.kind = VALUE_NUMBER;
	assert_refused(&f, ERROR_UNKNOWN_OPERATION, "", "a number is no pose");
}

static void refuses_unknown_clip_with_the_list(void **state) {
	(void)state;
	struct fixture f;
	begin(&f);
	add_string(&f, "clip", "Slid");
	assert_refused(&f, ERROR_UNKNOWN_CLIP, "/clip", "no clip \"Slid\"; the rig has Slide");
	begin(&f);
	add_number(&f, "clip", 1);
	assert_refused(&f, ERROR_UNKNOWN_CLIP, "/clip", "no clip 1; the rig has Slide");
	begin(&f);
	add_number(&f, "clip", 0.5);
	assert_refused(&f, ERROR_UNKNOWN_CLIP, "/clip", "no clip 0.5");
	begin(&f);
	add(&f, "clip", VALUE_NULL);
	assert_refused(&f, ERROR_INVALID_VALUE, "/clip", "is null");
}

static void cut_list_of_clips_is_followed_by_the_nearest(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	for (int i = 0; i < TEST_CLIPS_MAX - 1; i++) {
		rig_add_clip(rig, arena_printf(arena, "%0100d", i), 0, NULL);
	}
	rig_add_clip(rig, "Walk", 0, NULL);
	const struct value value = {.kind = VALUE_STRING, .string = "wlak"};
	struct error err = {0};
	assert_null(pose_find_clip(rig, &value, &err));
	if (!strstr(err.text, "...; nearest: Walk")) {
		fail_msg("%s", err.text);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void refuses_time_with_phase_and_wrong_values(void **state) {
	(void)state;
	struct fixture f;
	begin(&f);
	add_string(&f, "clip", "Slide");
	add_number(&f, "time", 1);
	add_number(&f, "phase", 0.5);
	assert_refused(&f, ERROR_INVALID_VALUE, "/phase", "give one of them");
	begin(&f);
	add_string(&f, "clip", "Slide");
	add_number(&f, "phase", 1.5);
	assert_refused(&f, ERROR_INVALID_VALUE, "/phase", "from 0 to 1");
	begin(&f);
	add_string(&f, "clip", "Slide");
	add_string(&f, "loop", "bounce");
	assert_refused(&f, ERROR_INVALID_VALUE, "/loop", "clamp, repeat, ping_pong");
	begin(&f);
	add_string(&f, "clip", "Slide");
	add_number(&f, "tiem", 1);
	assert_refused(&f, ERROR_UNKNOWN_MEMBER, "/tiem", "clip, time, phase, loop");
}

static double slide(const char *loop, const char *key, double number) {
	struct fixture f;
	begin(&f);
	add_string(&f, "clip", "Slide");
	add_number(&f, key, number);
	add_string(&f, "loop", loop);
	const double x = evaluate(&f, NULL);
	end(&f);
	return x;
}

static void clip_is_sampled_by_time_phase_and_loop(void **state) {
	(void)state;
	assert_near(slide("clamp", "time", 0.5), 1, 0);
	assert_near(slide("clamp", "time", 3), 4, 0);
	assert_near(slide("clamp", "phase", 0.25), 1, 0);
	assert_near(slide("clamp", "phase", 1), 4, 0);
	assert_near(slide("repeat", "time", 2.5), 1, 0);
	assert_near(slide("ping_pong", "time", 2.5), 3, 0);
}

static void clip_is_found_by_name_index_and_decimal(void **state) {
	(void)state;
	struct fixture f;
	begin(&f);
	add_number(&f, "clip", 0);
	assert_near(evaluate(&f, NULL), 0, 0);
	end(&f);
	begin(&f);
	add_string(&f, "clip", "0");
	assert_near(evaluate(&f, NULL), 0, 0);
	end(&f);
}

static void what_the_clip_does_not_drive_rests(void **state) {
	(void)state;
	struct fixture f;
	begin(&f);
	add_string(&f, "clip", "Slide");
	struct pose_context context = pose_context_make(f.rig, f.arena, NULL);
	struct pose pose;
	assert_true(pose_evaluate(&context, &f.expression, &pose, NULL));
	assert_memory_equal(&pose.local[0], &f.rig->joints[0].rest, sizeof pose.local[0]);
	assert_memory_equal(
		pose.local[1].rotation, f.rig->joints[1].rest.rotation, sizeof(float[4]));
	assert_true(pose_evaluate(&context, NULL, &pose, NULL));
	assert_memory_equal(&pose.local[1], &f.rig->joints[1].rest, sizeof pose.local[1]);
	end(&f);
}

static void an_operation_in_steps_is_not_quick_wherever_it_is(void **state) {
	(void)state;
	struct value clip = {.kind = VALUE_STRING, .string = "Slide", .key = "clip"};
	const struct value inner = {
		.kind = VALUE_OBJECT, .items = &clip, .count = 1, .key = "pose"};
	const struct value item = {.kind = VALUE_OBJECT, .items = &inner, .count = 1};
	const struct value list = {.kind = VALUE_LIST, .items = &item, .count = 1, .key = "blend"};
	const struct value blend = {.kind = VALUE_OBJECT, .items = &list, .count = 1};
	assert_true(pose_is_quick(NULL));
	assert_true(pose_is_quick(&blend));
	clip.key = "ccd";
	assert_false(pose_is_quick(&blend));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_in_steps_is_not_quick_wherever_it_is),
		cmocka_unit_test(refuses_unknown_operations_with_the_list),
		cmocka_unit_test(refuses_unknown_clip_with_the_list),
		cmocka_unit_test(cut_list_of_clips_is_followed_by_the_nearest),
		cmocka_unit_test(refuses_time_with_phase_and_wrong_values),
		cmocka_unit_test(clip_is_sampled_by_time_phase_and_loop),
		cmocka_unit_test(clip_is_found_by_name_index_and_decimal),
		cmocka_unit_test(what_the_clip_does_not_drive_rests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
