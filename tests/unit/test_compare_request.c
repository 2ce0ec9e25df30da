// Requests and responses of /v1/compare: defaults, the description of a method, the response's
// members.
#include "compare.h"

#include <string.h>

#include "json_text.h"
#include "json_value.h"

#include "check.h"

static struct compare_request read(struct arena *arena, const char *text) {
	struct compare_request out;
	struct error err = {0};
	if (!request_read_compare(json_value(arena, text), &out, &err)) {
		fail_msg("%s", err.text);
	}
	return out;
}

static bool reads(const struct value *body, struct arena *arena, struct error *err) {
	struct compare_request out;
	(void)arena;
	return request_read_compare(body, &out, err);
}

static void refuses_what_is_no_list_of_methods(void **state) {
	(void)state;
	static const struct refusal rows[] = {
		{"{'rig': 'a'}", ERROR_INVALID_VALUE, "", "\"methods\" is missing"},
		{"{'rig': 'a', 'methods': {}}", ERROR_INVALID_VALUE, "/methods", "2 to 8"},
		{"{'rig': 'a', 'methods': []}", ERROR_INVALID_VALUE, "/methods", "2 to 8"},
		{"{'rig': 'a', 'methods': ['lbs', null]}", ERROR_INVALID_VALUE, "/methods/1",
			"null, must be a method's id"},
		{"{'rig': 'a', 'methods': [1, 2, 3, 4, 5, 6, 7, 8, 9]}", ERROR_TOO_LARGE,
			"/methods", "9 methods, may have 8"},
		{"{'rig': 'a', 'methods': ['lbs', 'dqs'], 'worst': 1.5}", ERROR_INVALID_VALUE,
			"/worst", "whole"},
		{"{'rig': 'a', 'methods': ['lbs', 'dqs'], 'scale': -1}", ERROR_INVALID_VALUE,
			"/scale", "from"},
		{"{'rig': 'a', 'methods': ['lbs', 'dqs'], 'shading': 'depth'}", ERROR_INVALID_VALUE,
			"/shading", "depth"},
		{"{'rig': 'a', 'methods': ['lbs', 'dqs'], 'view': 'heat', 'shading': 'plain'}",
			ERROR_INVALID_VALUE, "/shading", "heat"},
		{"{'rig': 'a', 'methods': ['lbs', 'dqs'], 'samples': 3}", ERROR_INVALID_VALUE,
			"/samples", "1, 2, 4"},
	};
	expect_refusals(reads, rows, sizeof rows / sizeof *rows);
}

static void absent_members_take_their_defaults(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct compare_request out = read(arena, "{'rig': 'fox', 'methods': ['lbs', {}]}");
	assert_int_equal(out.method_count, 2);
	assert_string_equal(out.methods[0].method->string, "lbs");
	assert_null(out.methods[1].method);
	assert_null(subject_pose(&out.subject, 0));
	assert_int_equal(out.worst, 10);
	assert_int_equal(out.view, VIEW_SIDE_BY_SIDE);
	assert_near(out.scale, 0, 0);
	assert_int_equal(out.picture.width, 512);
	assert_int_equal(out.picture.samples, 4);
	arena_destroy(arena);
}

static void given_members_arrive(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct compare_request out = read(arena,
		"{'rig': 'fox', 'pose': {'clip': 0}, 'methods': ['lbs', {'method': 'dqs', "
		"'device': 'cpu'}, {'device': 'gpu'}], 'worst': 0, 'view': 'heat', 'scale': 0.25, "
		"'width': 100, 'background': '#ff0000', 'fit': 'rest', 'camera': {'yaw': 5}}");
	assert_int_equal(out.method_count, 3);
	assert_int_equal(out.methods[1].device, DEVICE_CPU);
	assert_int_equal(out.methods[2].device, DEVICE_GPU);
	assert_int_equal(subject_pose(&out.subject, 0)->kind, VALUE_OBJECT);
	assert_int_equal(out.worst, 0);
	assert_int_equal(out.view, VIEW_HEAT);
	assert_near(out.scale, 0.25, 0);
	assert_int_equal(out.picture.width, 100);
	assert_near(out.picture.background[0], 1, 0);
	assert_int_equal(out.picture.fit, FIT_REST);
	assert_near(out.picture.camera.yaw_deg, 5, 0);
	arena_destroy(arena);
}

static void labels_say_what_was_asked(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"'dqs'", "dqs"},
		{"{'method': 'dqs'}", "dqs"},
		{"{}", "lbs"},
		{"{'device': 'cpu'}", "lbs device=cpu"},
		{"{'device': 'auto', 'method': 'dqs'}", "dqs"},
		{"{'lambda': 3, 'method': 'ddm', 'smooth': true, 'p': 0.5, 'map': {'a': 1}}",
			"ddm lambda=3 smooth=true p=0.5 map=..."},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_create();
		assert_string_equal(
			compare_label(arena, json_value(arena, rows[i][0]), "lbs"), rows[i][1]);
		arena_destroy(arena);
	}
}

static void expect_members(const struct value *object, const char *names) {
	char text[512] = "";
	for (size_t i = 0; i < object->count; i++) {
		strcat(strcat(text, i ? " " : ""), object->items[i].key);
	}
	assert_string_equal(text, names);
}

static void answer_has_its_members(void **state) {
	(void)state;
	static const float a[3] = {1, 2, 3}, b[3] = {1, 2, 4};
	static const struct joint_share joints[] = {{"Hips", 4, 0.75f}};
	static const struct vertex_comparison worst = {
		.vertex = 9, .distance = 1, .a = a, .b = b, .joints = joints, .joint_count = 1};
	static const char *const flags[] = {"OPEN_PARTS", NULL};
	static const struct method_comparison methods[] = {
		{"lbs", "cpu", "lbs", flags, 7, {0, 0, 0, 0, 0}, 3, 4, true},
		{"dqs", "cpu", "dqs", flags + 1, 0, {3, 12, 2, 1, 4}, 2, 0, false}};
	static const struct pair_comparison pair = {
		.b = 1, .max = 1, .mean = 0.5, .rms = 0.7, .worst = &worst, .worst_count = 1};
	const struct comparison_description comparison = {
		.vertices = 10,
		.diagonal = 4,
		.methods = methods,
		.method_count = 2,
		.pairs = &pair,
		.pair_count = 1,
	};
	struct arena *arena = arena_create();
	struct buffer out = {0};
	reply_write_comparison(&comparison, &out);
	const struct value *answer = json_read(arena, out.data, out.size, NULL);
	assert_non_null(answer);
	expect_members(answer, "vertices diagonal methods pairs");
	const struct value *method = value_member(answer, "methods")->items;
	expect_members(method,
		"method device label fallback_vertices flags volume rest_volume volume_ratio "
		"closed");
	assert_near(value_member(&method[0], "fallback_vertices")->number, 7, 0);
	const struct value *batches = value_member(&method[1], "batches");
	expect_members(batches, "count vertices gained fewest_joints most_joints");
	assert_near(value_member(batches, "gained")->number, 2, 0);
	assert_int_equal(value_member(&method[0], "flags")->count, 1);
	assert_string_equal(value_member(&method[0], "flags")->items[0].string, "OPEN_PARTS");
	assert_int_equal(value_member(&method[1], "flags")->count, 0);
	assert_near(value_member(&method[0], "volume_ratio")->number, 0.75, 0);
	assert_int_equal(value_member(&method[1], "volume_ratio")->kind, VALUE_NULL);
	const struct value *found = value_member(answer, "pairs")->items;
	expect_members(found, "a b max mean rms max_relative worst");
	assert_near(value_member(found, "max_relative")->number, 0.25, 0);
	const struct value *vertex = value_member(found, "worst")->items;
	expect_members(vertex, "vertex distance a b joints");
	expect_members(value_member(vertex, "joints")->items, "name index weight");
	buffer_finish(&out);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_list_of_methods),
		cmocka_unit_test(absent_members_take_their_defaults),
		cmocka_unit_test(given_members_arrive),
		cmocka_unit_test(labels_say_what_was_asked),
		cmocka_unit_test(answer_has_its_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
