// Examples: which requests are refused, the stored form there and back, what is answered.
#include "example.h"

#include <float.h>
#include <string.h>

#include "base/json_write.h"
#include "json_text.h"
#include "json_value.h"

#include "check.h"

static bool reads(const struct value *body, struct arena *arena, struct error *err) {
	struct example_request request;
	return example_read(arena, body, &request, err);
}

static void refuses_bodies_with_their_place(void **state) {
	(void)state;
	static const struct refusal rows[] = {
		{"[]", ERROR_INVALID_VALUE, "", "must be an object"},
		{"{'positions':[]}", ERROR_INVALID_VALUE, "", "\"pose\" is missing"},
		{"{'pose':'rest'}", ERROR_INVALID_VALUE, "", "none of \"positions\", "},
		{"{'pose':'rest','positions':[],'targets':{}}", ERROR_INVALID_VALUE, "/targets",
			"several of"},
		{"{'pose':'rest','positions':[],'offsets':[]}", ERROR_INVALID_VALUE, "/offsets",
			"several of"},
		{"{'pose':'rest','normals':[],'targets':{}}", ERROR_INVALID_VALUE, "/normals",
			"bring their own"},
		{"{'pose':'rest','targets':[1]}", ERROR_INVALID_VALUE, "/targets",
			"an object of nodes"},
		{"{'pose':'rest','postions':[]}", ERROR_UNKNOWN_MEMBER, "/postions",
			"pose, positions, normals, targets"},
		{"{'pose':'rest','positions':{}}", ERROR_INVALID_VALUE, "/positions",
			"must be a list"},
		{"{'pose':'rest','positions':[[1,2,3],[1,2]]}", ERROR_INVALID_VALUE, "/positions/1",
			"three numbers"},
		{"{'pose':'rest','positions':[[1,2,'3']]}", ERROR_INVALID_VALUE, "/positions/0",
			"three numbers"},
		{"{'pose':'rest','positions':[[1,2,1e39]]}", ERROR_INVALID_VALUE, "/positions/0",
			"within float32"},
		{"{'pose':'rest','positions':[[1,2,3]],'normals':[]}", ERROR_INVALID_VALUE,
			"/normals", "list of 1 vectors"},
		{"{'pose':'rest','positions':[[1,2,3]],'normals':[[0,0,null]]}",
			ERROR_INVALID_VALUE, "/normals/0", "three numbers"},
	};
	expect_refusals(reads, rows, sizeof rows / sizeof *rows);
}

static void reads_vertices_and_targets(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct example_request request;
	const char *const body = "{'pose':{'clip':'a'},'positions':[[1,2,3],[4,5,6.5]],"
				 "'normals':[[0,0,1],[0,1,0]]}";
	assert_true(example_read(arena, json_value(arena, body), &request, NULL));
	static const float numbers[] = {1, 2, 3, 4, 5, 6.5f, 0, 0, 1, 0, 1, 0};
	assert_int_equal(request.vertices, 2);
	assert_true(request.normals);
	assert_memory_equal(request.numbers, numbers, sizeof numbers);
	assert_int_equal(request.pose->kind, VALUE_OBJECT);
	const char *const targets = "{'targets':{'face':[0,1]},'pose':'rest'}";
	assert_true(example_read(arena, json_value(arena, targets), &request, NULL));
	assert_int_equal(request.targets->count, 1);
	assert_null(request.positions);
	arena_destroy(arena);
}

static bool read_query(struct arena *arena, const char *const texts[static 4], bool octets,
	struct example_query *out, struct error *err) {
	const struct query_parameter parameters[] = {{texts[0], texts[1]}, {texts[2], texts[3]}};
	const size_t count = texts[2] ? 2 : texts[0] ? 1 : 0;
	return example_read_query(arena, parameters, count, octets, out, err);
}

static void refuses_queries_with_the_parameter(void **state) {
	(void)state;
	static const struct {
		const char *texts[4];
		bool octets;
		enum error_code code;
		const char *parameter, *piece;
	} cases[] = {
		{{0}, true, ERROR_INVALID_VALUE, "pose", "is missing"},
		{{"attributes", "position"}, true, ERROR_INVALID_VALUE, "pose", "is missing"},
		{{"pose", "rest"}, true, ERROR_INVALID_JSON, "pose", "line 1, column"},
		{{"pose", "\"rest\"", "pose", "\"rest\""}, true, ERROR_INVALID_VALUE, "pose",
			"twice"},
		{{"pose", "\"rest\"", "attributes", "normal,position"}, true, ERROR_INVALID_VALUE,
			"attributes", "position,normal"},
		{{"pose", "\"rest\"", "attributes", "position"}, false, ERROR_UNKNOWN_MEMBER,
			"attributes", "known are: pose"},
		{{"poes", "\"rest\""}, true, ERROR_UNKNOWN_MEMBER, "poes", "pose, attributes"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct example_query query;
		struct error err = {0};
		assert_false(read_query(arena, cases[i].texts, cases[i].octets, &query, &err));
		expect_error(&err, cases[i].code, err.pointer, cases[i].piece);
		char name[64];
		assert_true(query_parameter_name(err.pointer, name, sizeof name));
		assert_string_equal(name, cases[i].parameter);
		arena_destroy(arena);
	}
}

/* An error deep in the expression is reported for the one parameter that contains it. */
static void blames_the_parameter_for_its_inside(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	static const char *const texts[] = {
		"pose", "{\"set\":\"rest\",\"joints\":{\"a\":1}}", "attributes", "position,normal"};
	struct example_query query;
	assert_true(read_query(arena, texts, true, &query, NULL));
	assert_true(query.normals);
	struct error err = {0};
	const struct value *inner = &value_member(query.pose, "joints")->items[0];
	value_error(inner, &err, ERROR_UNKNOWN_JOINT, "no joint");
	assert_string_equal(err.pointer, "/pose/joints/a");
	assert_false(example_blame_parameter(&err));
	expect_error(&err, ERROR_UNKNOWN_JOINT, "/pose", "at /joints/a: no joint");
	arena_destroy(arena);
}

static void refuses_numbers_that_are_no_vertices(void **state) {
	(void)state;
	static const struct {
		float position, normal[3];
		const char *piece;
	} cases[] = {
		{NAN, {0, 0, 1}, "position of vertex 1 is not finite"},
		{INFINITY, {0, 0, 1}, "position of vertex 1 is not finite"},
		{0, {0, 0, 0}, "normal of vertex 1 has no length"},
		{0, {0, 0, NAN}, "normal of vertex 1 has no length"},
		{0, {0, 0, INFINITY}, "normal of vertex 1 has no length"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float positions[6] = {0}, normals[6] = {0, 1};
		positions[4] = cases[i].position;
		memcpy(normals + 3, cases[i].normal, sizeof cases[i].normal);
		struct error err = {0};
		assert_false(example_check(positions, normals, 2, &err));
		expect_error(&err, ERROR_INVALID_VALUE, NULL, cases[i].piece);
	}
}

/* A unit vector as float32 rounds it stays as it is; what is longer is made unit; so is the
 * greatest that there is, whose square no float32 holds. */
static void normals_come_out_unit(void **state) {
	(void)state;
	float positions[9] = {0};
	const float third = 1 / sqrtf(3);
	float normals[] = {third, third, third, 0, 3, 4, 0, FLT_MAX, 0};
	assert_true(example_check(positions, normals, 3, NULL));
	assert_true(normals[0] == third && normals[1] == third && normals[2] == third);
	assert_near(normals[4], 0.6, 1e-7);
	assert_near(normals[5], 0.8, 1e-7);
	assert_true(normals[7] == 1);
}

static void stored_forms_come_back(void **state) {
	(void)state;
	static const float positions[] = {1, 2, 3, 4, 5, 6}, normals[] = {0, 0, 1, 0, 1, 0};
	for (int with_normals = 0; with_normals < 2; with_normals++) {
		const struct example_form form = {
			"\"rest\"", 6, 2, positions, with_normals ? normals : NULL};
		struct buffer bytes = {0};
		assert_true(example_pack(&form, &bytes, NULL));
		assert_int_equal(
			bytes.size, EXAMPLE_HEAD_BYTES + example_vertex_bytes(2, with_normals) + 6);
		struct example_form back;
		assert_true(example_unpack(bytes.data, bytes.size, &back));
		assert_int_equal(back.vertices, 2);
		assert_int_equal(back.pose_bytes, 6);
		assert_memory_equal(back.pose, "\"rest\"", 6);
		assert_memory_equal(back.positions, positions, sizeof positions);
		assert_int_equal(back.normals != NULL, with_normals);
		if (back.normals) {
			assert_memory_equal(back.normals, normals, sizeof normals);
		}
		buffer_finish(&bytes);
	}
}

static void refuses_what_is_no_stored_form(void **state) {
	(void)state;
	static const float positions[] = {1, 2, 3};
	const struct example_form form = {"{}", 2, 1, positions, NULL};
	struct buffer bytes = {0};
	assert_true(example_pack(&form, &bytes, NULL));
	struct example_form back;
	for (size_t size = 0; size < bytes.size; size++) {
		assert_false(example_unpack(bytes.data, size, &back));
	}
	static const size_t at[] = {0, 14, 16, 20, 24}; // magic, version, counts
	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		bytes.data[at[i]] ^= 2;
		assert_false(example_unpack(bytes.data, bytes.size, &back));
		bytes.data[at[i]] ^= 2;
	}
	memset(bytes.data + 16, 0xff, 4); // more vertices than any file has
	assert_false(example_unpack(bytes.data, bytes.size, &back));
	buffer_finish(&bytes);
}

static void values_are_written_as_they_were_read(void **state) {
	(void)state;
	static const char *const texts[] = {"\"rest\"", "{}", "[]", "null",
		"{\"set\":\"rest\",\"joints\":{\"a\\\"\\\\\\n/"
		"~\":{\"rotation\":[0,0.1,-1e-300,true,"
		"null]}},\"x\":[[1],{\"y\":false}]}"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena *arena = arena_create();
		struct buffer out = {0};
		struct json_writer json = {.out = &out};
		value_text(json_read(arena, texts[i], strlen(texts[i]), NULL), &json);
		assert_int_equal(out.size, strlen(texts[i]));
		assert_memory_equal(out.data, texts[i], out.size);
		buffer_finish(&out);
		arena_destroy(arena);
	}
}

static const struct value *parse(struct arena *arena, struct buffer *out) {
	const struct value *value = json_read(arena, out->data, out->size, NULL);
	assert_non_null(value);
	buffer_finish(out);
	return value;
}

static void answers_have_the_promised_members(void **state) {
	(void)state;
	static const float positions[] = {1, 2, 3}, normals[] = {0, 0, 1};
	const struct example_form form = {"{\"clip\":1}", 10, 1, positions, normals};
	const struct example_summary summary = {"b\"t", "sha256:00", form.pose, 10, 1, true};
	struct arena *arena = arena_create();
	struct buffer out = {0};
	example_write_list(&summary, 1, &out);
	const struct value *row = &parse(arena, &out)->items[0].items[0];
	static const char *const names[] = {
		"name", "content", "pose", "vertices", "bytes", "normals"};
	assert_int_equal(row->count, sizeof names / sizeof *names);
	for (size_t i = 0; i < row->count; i++) {
		assert_string_equal(row->items[i].key, names[i]);
	}
	assert_string_equal(row->items[0].string, "b\"t");
	assert_int_equal(value_member(&row->items[2], "clip")->number, 1);
	assert_int_equal(row->items[4].number, 24);
	assert_true(row->items[5].boolean);
	example_write(&summary, &form, &out);
	const struct value *whole = parse(arena, &out);
	assert_int_equal(value_member(whole, "positions")->items[0].items[2].number, 3);
	assert_int_equal(value_member(whole, "normals")->items[0].items[2].number, 1);
	example_write_list(NULL, 0, &out);
	assert_int_equal(parse(arena, &out)->items[0].count, 0);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_bodies_with_their_place),
		cmocka_unit_test(reads_vertices_and_targets),
		cmocka_unit_test(refuses_queries_with_the_parameter),
		cmocka_unit_test(blames_the_parameter_for_its_inside),
		cmocka_unit_test(refuses_numbers_that_are_no_vertices),
		cmocka_unit_test(normals_come_out_unit),
		cmocka_unit_test(stored_forms_come_back),
		cmocka_unit_test(refuses_what_is_no_stored_form),
		cmocka_unit_test(values_are_written_as_they_were_read),
		cmocka_unit_test(answers_have_the_promised_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
