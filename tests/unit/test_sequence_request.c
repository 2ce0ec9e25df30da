// Requests of /v1/frames: moments, turntables, poses.
#include "sequence.h"

#include "json_text.h"
#include "json_value.h"

#include "check.h"

static bool reads(const struct value *body, struct arena *arena, struct error *err) {
	struct frames_request out;
	return request_read_frames(body, arena, &out, err);
}

static void refuses_what_is_no_sequence(void **state) {
	(void)state;
	static const struct refusal rows[] = {
		{"[]", ERROR_INVALID_VALUE, "", "object"},
		{"{}", ERROR_INVALID_VALUE, "", "\"rig\" is missing"},
		{"{'rig': 'a', 'time': 1}", ERROR_UNKNOWN_MEMBER, "/time", "turntable"},
		{"{'rig': 'a', 'times': 3}", ERROR_INVALID_VALUE, "/times", "list of seconds"},
		{"{'rig': 'a', 'times': []}", ERROR_INVALID_VALUE, "/times", "1 to 4096"},
		{"{'rig': 'a', 'times': [0, '1']}", ERROR_INVALID_VALUE, "/times/1", "seconds"},
		{"{'rig': 'a', 'times': [1e9]}", ERROR_INVALID_VALUE, "/times/0", "3600"},
		{"{'rig': 'a', 'times': {'end': 'x'}}", ERROR_INVALID_VALUE, "/times/end",
			"number"},
		{"{'rig': 'a', 'times': {'stop': 1}}", ERROR_UNKNOWN_MEMBER, "/times/stop", "end"},
		{"{'rig': 'a', 'times': {'start': 1, 'end': 1}}", ERROR_INVALID_VALUE, "/times/end",
			"later than"},
		{"{'rig': 'a', 'times': {'count': 0}}", ERROR_INVALID_VALUE, "/times/count", "1"},
		{"{'rig': 'a', 'times': {'count': 1.5}}", ERROR_INVALID_VALUE, "/times/count",
			"whole"},
		{"{'rig': 'a', 'times': {'count': 4097}}", ERROR_INVALID_VALUE, "/times/count",
			"4096"},
		{"{'rig': 'a', 'times': {'fps': 0}}", ERROR_INVALID_VALUE, "/times/fps", "0.01"},
		{"{'rig': 'a', 'times': {'fps': 24, 'count': 3}}", ERROR_INVALID_VALUE,
			"/times/fps", "both"},
		{"{'rig': 'a', 'times': {'end': 2, 'clip': 'b'}}", ERROR_INVALID_VALUE,
			"/times/end", "both"},
		{"{'rig': 'a', 'times': [0], 'poses': ['rest']}", ERROR_INVALID_VALUE, "/times",
			"both"},
		{"{'rig': 'a', 'pose': 'rest', 'poses': ['rest']}", ERROR_INVALID_VALUE, "/poses",
			"both"},
		{"{'rig': 'a', 'turntable': '36'}", ERROR_INVALID_VALUE, "/turntable", "count"},
		{"{'rig': 'a', 'turntable': 0}", ERROR_INVALID_VALUE, "/turntable", "1 to 4096"},
		{"{'rig': 'a', 'turntable': 2.5}", ERROR_INVALID_VALUE, "/turntable", "whole"},
		{"{'rig': 'a', 'turntable': 1e300}", ERROR_INVALID_VALUE, "/turntable", "4096"},
		{"{'rig': 'a', 'turntable': {'degrees': 90}}", ERROR_INVALID_VALUE, "/turntable",
			"\"count\" is missing"},
		{"{'rig': 'a', 'turntable': {'count': 2, 'yaw': 1}}", ERROR_UNKNOWN_MEMBER,
			"/turntable/yaw", "start_yaw"},
		{"{'rig': 'a', 'turntable': {'count': 2, 'degrees': 1e4}}", ERROR_INVALID_VALUE,
			"/turntable/degrees", "3600"},
		{"{'rig': 'a', 'fps': 1000}", ERROR_INVALID_VALUE, "/fps", "240"},
		{"{'rig': 'a', 'loops': -1}", ERROR_INVALID_VALUE, "/loops", "0"},
		{"{'rig': 'a', 'columns': 0}", ERROR_INVALID_VALUE, "/columns", "1"},
		{"{'rig': 'a', 'format': 7}", ERROR_INVALID_VALUE, "/format", "string"},
		{"{'rig': 'a', 'width': 0}", ERROR_INVALID_VALUE, "/width", "1"},
		{"{'rig': 'a', 'skinning': 7}", ERROR_INVALID_VALUE, "/skinning", "method"},
	};
	expect_refusals(reads, rows, sizeof rows / sizeof *rows);
}

static struct frames_request read(struct arena *arena, const char *text) {
	struct frames_request out;
	struct error err = {0};
	if (!request_read_frames(json_value(arena, text), arena, &out, &err)) {
		fail_msg("%s", err.text);
	}
	return out;
}

static void all_may_be_left_open(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct frames_request request = read(arena, "{'rig': 'a'}");
	assert_string_equal(request.subject.rig, "a");
	assert_int_equal(request.subject.count, 1);
	assert_false(request.subject.many);
	assert_null(request.frames.moments.source);
	assert_int_equal(request.frames.turntable.count, 0);
	assert_near(request.frames.rate, 0, 0);
	assert_int_equal(request.frames.loops, 0);
	assert_int_equal(request.frames.columns, 0);
	assert_false(request.frames.plain_colors);
	assert_null(request.format);
	assert_int_equal(request.picture.width, 512);
	arena_destroy(arena);
}

static void everything_is_read(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct frames_request request = read(arena,
		"{'rig': 'a', 'times': {'start': -1, 'end': 2.5, 'fps': 30}, 'turntable': "
		"{'count': 8, "
		"'start_yaw': 45, 'degrees': -180}, 'format': 'gif', 'fps': 12.5, 'loops': 3, "
		"'columns': 4, 'dither': false, "
		"'width': 64}");
	assert_non_null(request.frames.moments.source);
	assert_null(request.frames.moments.list);
	assert_near(request.frames.moments.start_s, -1, 0);
	assert_true(request.frames.moments.has_end);
	assert_near(request.frames.moments.end_s, 2.5, 0);
	assert_near(request.frames.moments.rate, 30, 0);
	assert_int_equal(request.frames.moments.count, 0);
	assert_int_equal(request.frames.turntable.count, 8);
	assert_true(request.frames.turntable.has_start);
	assert_near(request.frames.turntable.start_yaw_deg, 45, 0);
	assert_near(request.frames.turntable.degrees, -180, 0);
	assert_near(request.frames.rate, 12.5, 0);
	assert_int_equal(request.frames.loops, 3);
	assert_int_equal(request.frames.columns, 4);
	assert_true(request.frames.plain_colors);
	assert_string_equal(request.format->string, "gif");

	request = read(arena, "{'rig': 'a', 'times': [0.5, 0, 2], 'turntable': 36}");
	assert_int_equal(request.frames.moments.list_count, 3);
	assert_near(request.frames.moments.list[2], 2, 0);
	assert_int_equal(request.frames.turntable.count, 36);
	assert_false(request.frames.turntable.has_start);
	assert_near(request.frames.turntable.degrees, 360, 0);

	request = read(arena, "{'rig': 'a', 'times': {'clip': 'b', 'count': 7}}");
	assert_string_equal(request.frames.moments.clip->string, "b");
	assert_int_equal(request.frames.moments.count, 7);
	assert_false(request.frames.moments.has_end);

	request = read(arena, "{'rig': 'a', 'poses': ['rest', {'clip': 'b'}]}");
	assert_true(request.subject.many);
	assert_int_equal(request.subject.count, 2);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_sequence),
		cmocka_unit_test(all_may_be_left_open),
		cmocka_unit_test(everything_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
