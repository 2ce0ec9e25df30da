// Requests and responses of /v1/transitions: refusals, defaults, the response's members.
#include "transitions.h"

#include <string.h>

#include "json_value.h"

#include "check.h"

static bool reads(const struct value *body, struct arena *arena, struct error *err) {
	struct transitions_request out;
	(void)arena;
	return request_read_transitions(body, &out, err);
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct refusal rows[] = {
		{"{'rig': 'a'}", ERROR_INVALID_VALUE, "", "\"from\" is missing"},
		{"{'rig': 'a', 'from': 'x'}", ERROR_INVALID_VALUE, "", "\"to\" is missing"},
		{"{'from': 'x', 'to': 'y'}", ERROR_INVALID_VALUE, "", "\"rig\" is missing"},
		{"{'rig': 'a', 'from': 'x', 'to': 'y', 'count': 0}", ERROR_INVALID_VALUE, "/count",
			"from 1 to 64"},
		{"{'rig': 'a', 'from': 'x', 'to': 'y', 'count': 1.5}", ERROR_INVALID_VALUE,
			"/count", "whole"},
		{"{'rig': 'a', 'from': 'x', 'to': 'y', 'rate': 1001}", ERROR_INVALID_VALUE, "/rate",
			"from 1 to 1000"},
		{"{'rig': 'a', 'from': 'x', 'to': 'y', 'poses': []}", ERROR_UNKNOWN_MEMBER,
			"/poses", "rig, pose, from, to, count, rate"},
	};
	expect_refusals(reads, rows, sizeof rows / sizeof *rows);
}

static void absent_members_take_their_defaults(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct transitions_request out;
	assert_true(request_read_transitions(
		json_value(arena, "{'rig': 'a', 'from': 'x', 'to': 2}"), &out, NULL));
	assert_string_equal(out.from->string, "x");
	assert_near(out.to->number, 2, 0);
	assert_int_equal(out.count, 5);
	assert_near(out.rate, 0, 0);
	assert_null(subject_pose(&out.subject, 0));
	assert_int_equal(out.subject.count, 1);
	arena_destroy(arena);
}

static void expect_text(const struct transitions_description *found, const char *text) {
	struct buffer out = {0};
	reply_write_transitions(found, &out);
	assert_int_equal(out.size, strlen(text));
	assert_memory_equal(out.data, text, out.size);
	buffer_finish(&out);
}

static void answers_have_a_core_where_one_was_given(void **state) {
	(void)state;
	const struct transition_description item = {0.5, 0.25, 0.125, 2};
	struct transitions_description found = {.rig = "a", .from = "x", .to = "y"};
	expect_text(&found, "{\"rig\":\"a\",\"from\":\"x\",\"to\":\"y\",\"transitions\":[]}");
	found.items = &item;
	found.count = 1;
	found.has_core = true;
	found.core_passes = true;
	found.from_end = (struct core_end_description){0.5, 1};
	found.to_start = (struct core_end_description){0, 3};
	expect_text(&found,
		"{\"rig\":\"a\",\"from\":\"x\",\"to\":\"y\",\"transitions\":[{\"from_time\":0.5,"
		"\"to_time\":0.25,\"distance\":0.125,\"velocity\":2}],\"core\":{\"passes\":true,"
		"\"from\":{\"distance\":0.5,\"speed\":1},\"to\":{\"distance\":0,\"speed\":3}}}");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(absent_members_take_their_defaults),
		cmocka_unit_test(answers_have_a_core_where_one_was_given),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
