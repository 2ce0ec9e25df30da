// Query parameters: what is refused, and that they ask for the same as JSON.
#include "query.h"

#include <string.h>

#include "json_value.h"
#include "request.h"

#include "check.h"

/* Reads one or two parameters; the second name may be NULL. */
static const struct value *read_two(
	struct arena *arena, const char *const texts[static 4], struct error *err) {
	const struct query_parameter parameters[] = {{texts[0], texts[1]}, {texts[2], texts[3]}};
	return query_read_frame(arena, "fox", parameters, texts[2] ? 2 : 1, err);
}

static void refuses_with_the_name_of_the_parameter(void **state) {
	(void)state;
	static const struct {
		const char *texts[4];
		enum error_code code;
		const char *parameter, *piece;
	} cases[] = {
		{{"wdith", "3"}, ERROR_UNKNOWN_MEMBER, "wdith", "clip, time, phase"},
		{{"a/~b", ""}, ERROR_UNKNOWN_MEMBER, "a/~b", "known are"},
		{{"pose", "rest"}, ERROR_UNKNOWN_MEMBER, "pose", "known are"},
		{{"rig", "x"}, ERROR_UNKNOWN_MEMBER, "rig", "known are"},
		{{"width", "64px"}, ERROR_INVALID_VALUE, "width",
			"\"64px\", must be a whole number"},
		{{"width", ""}, ERROR_INVALID_VALUE, "width", "whole number"},
		{{"width", "0x40"}, ERROR_INVALID_VALUE, "width", "whole number"},
		{{"width", " 64"}, ERROR_INVALID_VALUE, "width", "whole number"},
		{{"yaw", "nan"}, ERROR_INVALID_VALUE, "yaw", "must be a number"},
		{{"yaw", "1e999"}, ERROR_INVALID_VALUE, "yaw", "must be a number"},
		{{"width", "64", "width", "65"}, ERROR_INVALID_VALUE, "width", "twice"},
		{{"time", "1"}, ERROR_INVALID_VALUE, "time", "needs \"clip\""},
		{{"loop", "repeat", "width", "9"}, ERROR_INVALID_VALUE, "loop", "needs \"clip\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		assert_null(read_two(arena, cases[i].texts, &err));
		expect_error(&err, cases[i].code, err.pointer, cases[i].piece);
		char name[64];
		const bool named = query_parameter_name(err.pointer, name, sizeof name);
		assert_int_equal(named, cases[i].parameter != NULL);
		if (named) {
			assert_string_equal(name, cases[i].parameter);
		}
		arena_destroy(arena);
	}
}

static void names_between_commas_are_a_list(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t count;
		const char *last;
	} cases[] = {
		{"", 0, NULL}, {"a", 1, "a"}, {"a,bc", 2, "bc"}, {"a,,b", 3, "b"}, {",", 1, ""}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		const struct query_parameter parameter = {"overlays", cases[i].text};
		const struct value *request = query_read_frame(arena, "fox", &parameter, 1, NULL);
		const struct value *list = value_member(request, "overlays");
		char pointer[32], name[32];
		assert_int_equal(list->kind, VALUE_LIST);
		assert_int_equal(list->count, cases[i].count);
		if (list->count > 0) {
			const struct value *last = &list->items[list->count - 1];
			assert_string_equal(last->string, cases[i].last);
			value_pointer(last, pointer, sizeof pointer);
			assert_true(query_parameter_name(pointer, name, sizeof name));
			assert_string_equal(name, "overlays");
		}
		arena_destroy(arena);
	}
}

static void description_takes_bounds_of_clips_only(void **state) {
	(void)state;
	static const struct {
		struct query_parameter parameters[2];
		size_t count;
		enum error_code code; // ERROR_NONE = it is fine
		const char *pointer, *piece;
	} cases[] = {
		{{{"bounds", "clips"}}, 1, ERROR_NONE, NULL, NULL},
		{{{"bounds", "clip"}}, 1, ERROR_INVALID_VALUE, "/bounds", "must be one of: clips"},
		{{{"bounds", ""}}, 1, ERROR_INVALID_VALUE, "/bounds", "must be one of: clips"},
		{{{"bound", "clips"}}, 1, ERROR_UNKNOWN_MEMBER, "/query/bound",
			"known are: bounds"},
		{{{"bounds", "clips"}, {"bounds", "clips"}}, 2, ERROR_INVALID_VALUE, "/bounds",
			"twice"},
	};
	struct arena *arena = arena_create();
	struct description_query query;
	assert_true(query_read(arena, &description_query_members, NULL, 0, &query, NULL));
	assert_int_equal(query.bounds, -1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {0};
		const bool read = query_read(arena, &description_query_members, cases[i].parameters,
			cases[i].count, &query, &err);
		assert_int_equal(read, cases[i].code == ERROR_NONE);
		if (read) {
			assert_int_equal(query.bounds, 0);
		} else {
			expect_error(&err, cases[i].code, cases[i].pointer, cases[i].piece);
		}
	}
	arena_destroy(arena);
}

static void compatibility_needs_the_other_rig(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct compatibility_query query;
	struct error err = {0};
	assert_false(query_read(arena, &compatibility_query_members, NULL, 0, &query, &err));
	expect_error(&err, ERROR_INVALID_VALUE, "", "\"with\" is missing");
	const struct query_parameter parameters[] = {{"with", "fox"}, {"map", "name"}};
	assert_true(query_read(arena, &compatibility_query_members, parameters, 1, &query, NULL));
	assert_string_equal(query.with, "fox");
	assert_int_equal(query.map, 0);
	assert_true(query_read(arena, &compatibility_query_members, parameters, 2, &query, NULL));
	assert_int_equal(query.map, 1);
	arena_destroy(arena);
}

static void values_found_wrong_later_name_the_parameter(void **state) {
	(void)state;
	static const struct {
		const char *texts[4], *parameter, *piece;
	} cases[] = {
		{{"width", "0"}, "width", "\"width\" is 0"},
		{{"fov", "200"}, "fov", "\"fov\" is 200"},
		{{"device", "tpu"}, "device", "\"device\" is \"tpu\""},
		{{"fit", "all"}, "fit", "\"fit\" is \"all\""},
		{{"shading", "toon"}, "shading", "\"shading\" is \"toon\""},
		{{"shading", "cg4m", "light", "1,2"}, "light", "3 numbers"},
		{{"shading", "cg4m", "light", "1,2,1e10"}, "light", "coordinate 1e+10"},
		{{"quality", "0"}, "quality", "\"quality\" is 0"},
		{{"quality", "101"}, "quality", "\"quality\" is 101"},
		// Whose members are called otherwise.
		{{"camera", "below"}, "camera", "\"camera\" is \"below\", must be one of"},
		{{"view_height", "2"}, "view_height", "\"view_height\" needs \"orthographic\""},
		{{"orthographic", "true", "view_height", "0"}, "view_height",
			"\"view_height\" is 0"},
		{{"orthographic", "true", "fov", "20"}, "fov", "where \"view_height\" says"},
		{{"camera", "front", "node", "Eye"}, "node",
			"one of: {camera, yaw, pitch, distance, fov, orthographic, view_height}, "
			"{node}"},
		{{"joint", "Head"}, "shading", "parameter \"shading\" is missing"},
		{{"shading", "plain", "joint", "Head"}, "joint",
			"no parameter \"joint\" here; known are: shading"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		struct frame_request request;
		assert_false(
			request_read_frame(read_two(arena, cases[i].texts, &err), &request, &err));
		char name[64];
		assert_true(query_parameter_name(err.pointer, name, sizeof name));
		assert_string_equal(name, cases[i].parameter);
		assert_non_null(strstr(err.text, cases[i].piece));
		arena_destroy(arena);
	}
	char name[64];
	assert_true(query_parameter_name("/skinning/method", name, sizeof name));
	assert_string_equal(name, "skinning");
	assert_true(query_parameter_name("/pose/clip", name, sizeof name));
	assert_string_equal(name, "clip");
	static const char *const unnamed[] = {"/rig", "", "/times"};
	for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++) {
		assert_false(query_parameter_name(unnamed[i], name, sizeof name));
	}
}

static void every_parameter_reaches_the_request(void **state) {
	(void)state;
	static const struct query_parameter parameters[] = {{"clip", "Walk"}, {"time", "0.5"},
		{"loop", "repeat"}, {"width", "640"}, {"height", "480"}, {"background", "#ffffff"},
		{"samples", "2"}, {"fit", "rest"}, {"yaw", "-45"}, {"pitch", "10"},
		{"distance", "3e0"}, {"fov", "45"}, {"skinning", "dqs"}, {"device", "cpu"},
		{"normals", "cof"}, {"shading", "plain"}, {"quality", "70"}, {"lossless", "false"}};
	struct arena *arena = arena_create();
	struct error err = {0};
	const struct value *body = query_read_frame(
		arena, "fox", parameters, sizeof parameters / sizeof *parameters, &err);
	struct frame_request request;
	assert_true(body && request_read_frame(body, &request, &err));
	assert_string_equal(request.subject.rig, "fox");
	const struct value *pose = subject_pose(&request.subject, 0);
	assert_string_equal(value_member(pose, "clip")->string, "Walk");
	assert_near(value_member(pose, "time")->number, 0.5, 0);
	assert_string_equal(value_member(pose, "loop")->string, "repeat");
	assert_int_equal(request.picture.width, 640);
	assert_int_equal(request.picture.height, 480);
	assert_int_equal(request.picture.samples, 2);
	assert_int_equal(request.picture.fit, FIT_REST);
	assert_near(request.picture.background[3], 1, 0);
	assert_near(request.picture.camera.yaw_deg, -45, 0);
	assert_near(request.picture.camera.pitch_deg, 10, 0);
	assert_near(request.picture.camera.distance, 3, 0);
	assert_near(request.picture.camera.fov_deg, 45, 0);
	assert_string_equal(request.skinning.method->string, "dqs");
	assert_int_equal(request.skinning.device, DEVICE_CPU);
	assert_int_equal(request.picture.shading.mode, SHADING_PLAIN);
	assert_int_equal(request.picture.quality, 70);
	assert_true(request.picture.lossy);
	arena_destroy(arena);
}

static void cameras_arrive_and_their_parameters_are_named(void **state) {
	(void)state;
	static const struct query_parameter parameters[] = {{"camera", "side"},
		{"orthographic", "true"}, {"view_height", "2.5"}, {"margin", "0.125"}};
	struct arena *arena = arena_create();
	struct error err = {0};
	const struct value *body = query_read_frame(arena, "fox", parameters, 4, &err);
	struct frame_request request;
	assert_true(body && request_read_frame(body, &request, &err));
	const struct camera_settings *camera = &request.picture.camera;
	assert_near(camera->yaw_deg, 90, 0);
	assert_near(camera->pitch_deg, 0, 0);
	assert_true(camera->orthographic);
	assert_near(camera->view_height, 2.5, 0);
	assert_near(CAMERA_MARGIN + camera->margin_change, 0.125, 1e-15);
	static const char *const names[][2] = {{"/camera/preset", "camera"},
		{"/camera/height", "view_height"}, {"/height", "height"}, {"/camera", "camera"},
		{"/camera/node", "node"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];
		assert_true(query_parameter_name(names[i][0], name, sizeof name));
		assert_string_equal(name, names[i][1]);
	}
	arena_destroy(arena);
}

/* The pose of a link, with avatar=true, is what the operation is given. */
static void avatar_goes_around_the_pose(void **state) {
	(void)state;
	static const char *const rows[][4] = {
		{"avatar", "true", "clip", "Walk"},
		{"clip", "Walk", "avatar", "true"},
		{"avatar", "false", "clip", "Walk"},
		{"avatar", "true", NULL, NULL},
		{"avatar", "false", NULL, NULL},
	};
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {0};
		const struct value *body = read_two(arena, rows[i], &err);
		assert_non_null(body);
		const struct value *pose = value_member(body, "pose");
		if (i != 2 && i != 4) {
			assert_int_equal(pose->kind, VALUE_OBJECT);
			assert_int_equal(pose->count, 1);
			pose = value_member(pose, "avatar");
		}
		const struct value *clip = i < 3 ? value_member(pose, "clip") : pose;
		char pointer[64];
		value_pointer(clip, pointer, sizeof pointer);
		assert_string_equal(clip->string, i < 3 ? "Walk" : "rest");
		assert_string_equal(pointer,
			i < 2            ? "/pose/avatar/clip"
				: i == 2 ? "/pose/clip"
				: i == 3 ? "/pose/avatar"
					 : "/pose");
	}
	struct error err = {0};
	const char *const lonely[] = {"avatar", "true", "time", "1"};
	assert_null(read_two(arena, lonely, &err));
	expect_error(&err, ERROR_INVALID_VALUE, "/pose/avatar/time", "needs \"clip\"");
	arena_destroy(arena);
}

static void no_parameters_ask_for_the_rest_pose(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct error err = {0};
	struct frame_request request;
	assert_true(
		request_read_frame(query_read_frame(arena, "fox", NULL, 0, &err), &request, &err));
	assert_null(subject_pose(&request.subject, 0));
	assert_int_equal(request.picture.width, 512);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_name_of_the_parameter),
		cmocka_unit_test(names_between_commas_are_a_list),
		cmocka_unit_test(description_takes_bounds_of_clips_only),
		cmocka_unit_test(compatibility_needs_the_other_rig),
		cmocka_unit_test(values_found_wrong_later_name_the_parameter),
		cmocka_unit_test(every_parameter_reaches_the_request),
		cmocka_unit_test(cameras_arrive_and_their_parameters_are_named),
		cmocka_unit_test(avatar_goes_around_the_pose),
		cmocka_unit_test(no_parameters_ask_for_the_rest_pose),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
