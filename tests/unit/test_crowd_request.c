// Requests and responses of /v1/crowd: figures, their rigs and positions.
#include "crowd.h"

#include <string.h>

#include "base/mat.h"
#include "json_text.h"
#include "json_value.h"

#include "check.h"

static struct crowd_request read(struct arena *arena, const char *text) {
	struct crowd_request out;
	struct error err = {0};
	if (!request_read_crowd(json_value(arena, text), arena, &out, &err)) {
		fail_msg("%s", err.text);
	}
	return out;
}

static bool reads(const struct value *body, struct arena *arena, struct error *err) {
	struct crowd_request out;
	return request_read_crowd(body, arena, &out, err);
}

static void refuses_what_is_no_crowd(void **state) {
	(void)state;
	static const struct refusal rows[] = {
		{"[]", ERROR_INVALID_VALUE, "", "object"},
		{"{}", ERROR_INVALID_VALUE, "", "\"instances\" is missing"},
		{"{'instances': null}", ERROR_INVALID_VALUE, "/instances", "1 to 4096"},
		{"{'instances': []}", ERROR_INVALID_VALUE, "/instances", "1 to 4096"},
		{"{'instances': ['a']}", ERROR_INVALID_VALUE, "/instances/0", "object"},
		{"{'instances': [{'rig': 'a'}, {'pose': 'rest'}]}", ERROR_INVALID_VALUE,
			"/instances/1", "\"rig\" is missing"},
		{"{'instances': [{'rig': 'a', 'poses': []}]}", ERROR_UNKNOWN_MEMBER,
			"/instances/0/poses", "translation"},
		{"{'instances': [{'rig': 'a', 'translation': [1, 2]}]}", ERROR_INVALID_VALUE,
			"/instances/0/translation", "[x, y, z]"},
		{"{'instances': [{'rig': 'a', 'translation': [1, 2, 1e39]}]}", ERROR_INVALID_VALUE,
			"/instances/0/translation", "float32"},
		{"{'instances': [{'rig': 'a', 'rotation': [0, 0, 0, 0]}]}", ERROR_INVALID_VALUE,
			"/instances/0/rotation", "zero"},
		{"{'instances': [{'rig': 'a', 'scale': true}]}", ERROR_INVALID_VALUE,
			"/instances/0/scale", "a number or"},
		{"{'instances': [{'rig': 'a', 'transform': [1]}]}", ERROR_INVALID_VALUE,
			"/instances/0/transform", "16 numbers"},
		{"{'instances': [{'rig': 'a', 'transform': [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, "
		 "0, 0, 2]}]}",
			ERROR_INVALID_VALUE, "/instances/0/transform", "affine"},
		{"{'instances': [{'rig': 'a', 'scale': 1, 'transform': [1, 0, 0, 0, 0, 1, 0, 0, 0, "
		 "0, 1, 0, 0, 0, 0, 1]}]}",
			ERROR_INVALID_VALUE, "/instances/0/scale", "transform"},
		{"{'instances': [{'rig': 'a', 'attach': 0}]}", ERROR_INVALID_VALUE,
			"/instances/0/attach", "object"},
		{"{'instances': [{'rig': 'a', 'attach': {'to': 0}}]}", ERROR_INVALID_VALUE,
			"/instances/0/attach", "\"joint\" is missing"},
		{"{'instances': [{'rig': 'a', 'attach': {'to': 1, 'joint': 0}}]}",
			ERROR_INVALID_VALUE, "/instances/0/attach/to", "from 0 to 0"},
		{"{'instances': [{'rig': 'a', 'attach': {'to': 0, 'joint': 0}}]}",
			ERROR_INVALID_VALUE, "/instances/0/attach", "itself"},
		{"{'instances': [{'rig': 'a', 'attach': {'to': 1, 'joint': 0}},"
		 "{'rig': 'a', 'attach': {'to': 2, 'joint': 0}},"
		 "{'rig': 'a', 'attach': {'to': 1, 'joint': 0}}]}",
			ERROR_INVALID_VALUE, "/instances/1/attach", "attached to it"},
		{"{'instances': [{'rig': 'a'}], 'fit': 'clip'}", ERROR_INVALID_VALUE, "/fit",
			"pose or rest"},
		{"{'instances': [{'rig': 'a'}], 'attributes': ['colour']}", ERROR_INVALID_VALUE,
			"/attributes/0", "tangent"},
		{"{'instances': [{'rig': 'a'}], 'width': 0}", ERROR_INVALID_VALUE, "/width", "1"},
		{"{'instances': [{'rig': 'a'}], 'rig': 'a'}", ERROR_UNKNOWN_MEMBER, "/rig",
			"instances"},
	};
	expect_refusals(reads, rows, sizeof rows / sizeof *rows);
}

/* A body with so many figures, each of one of so many rigs. */
static const char *many(struct arena *arena, int figures, int rigs) {
	char *text = arena_alloc(arena, (size_t)figures * 16 + 64, 1), *end = text;
	end += sprintf(end, "{'instances': [");
	for (int i = 0; i < figures; i++) {
		end += sprintf(end, "%s{'rig':'%d'}", i ? "," : "", i % rigs);
	}
	sprintf(end, "]}");
	return text;
}

static void figures_and_rigs_have_a_limit(void **state) {
	(void)state;
	static const struct {
		int figures, rigs;
		const char *pointer;
	} rows[] = {
		{4096, 16, NULL},
		{4097, 1, "/instances"},
		{4096, 17, "/instances/16/rig"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_create();
		const char *text = many(arena, rows[i].figures, rows[i].rigs);
		struct crowd_request out;
		struct error err = {0};
		const bool ok = request_read_crowd(json_value(arena, text), arena, &out, &err);
		assert_int_equal(ok, rows[i].pointer == NULL);
		if (ok) {
			assert_int_equal(out.count, rows[i].figures);
			assert_int_equal(out.rig_count, rows[i].rigs);
			assert_int_equal(out.figures[4095].which, 4095 % rows[i].rigs);
		} else {
			expect_error(&err, ERROR_TOO_LARGE, rows[i].pointer, "");
		}
		arena_destroy(arena);
	}
}

static void absent_members_take_their_defaults(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct crowd_request out = read(arena, "{'instances': [{'rig': 'a'}]}");
	static const double identity[12] = MAT_IDENTITY;
	assert_memory_equal(out.figures[0].placement, identity, sizeof identity);
	assert_null(out.figures[0].pose);
	assert_int_equal(out.attribute_count, 1);
	assert_int_equal(out.picture.width, 512);
	assert_int_equal(out.picture.fit, FIT_POSE);
	assert_int_equal(
		read(arena, "{'instances': [{'rig': 'a'}], 'attributes': []}").attribute_count, 0);
	arena_destroy(arena);
}

static void what_holds_comes_before_what_is_held(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct crowd_request crowd = read(arena,
		"{'instances': [{'rig': 'a', 'attach': {'to': 3, 'joint': 0}}, {'rig': 'a'},"
		"{'rig': 'a', 'attach': {'to': 0, 'joint': 0}},"
		"{'rig': 'a', 'attach': {'to': 1, 'joint': 0}}]}");
	size_t place[4];
	for (size_t i = 0; i < crowd.count; i++) {
		place[crowd.order[i]] = i;
	}
	assert_true(place[1] < place[3] && place[3] < place[0] && place[0] < place[2]);
	assert_true(crowd.figures[1].to == SIZE_MAX && !crowd.figures[1].joint);
	arena_destroy(arena);
}

static void placements_are_maps(void **state) {
	(void)state;
	static const struct {
		const char *members;
		double rows[12];
	} rows[] = {
		{"'translation': [1, 2, 3], 'scale': 2", {2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3}},
		// Half a turn about y, whatever the quaternion's length; scale comes first.
		{"'rotation': [0, 1e30, 0, 0], 'scale': [1, -2, 3]",
			{-1, 0, 0, 0, 0, -2, 0, 0, 0, 0, -3, 0}},
		{"'transform': [1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1]",
			{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_create();
		const char *text =
			arena_printf(arena, "{'instances': [{'rig': 'a', %s}]}", rows[i].members);
		const struct crowd_request out = read(arena, text);
		for (int k = 0; k < 12; k++) {
			assert_near(out.figures[0].placement[k], rows[i].rows[k], 1e-7);
		}
		arena_destroy(arena);
	}
}

static void answers_tell_where_figures_begin(void **state) {
	(void)state;
	const float numbers[] = {1, 2, 3};
	const enum attribute_bits attributes[] = {ATTRIBUTE_POSITION};
	const struct vertices_frame frame = {numbers, 1, attributes, 1};
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	const char *const none[] = {NULL};
	const struct skinning_description skinning = {
		.method = "lbs", .device = "cpu", .flags = none};
	reply_begin_crowd(&json, 8);
	reply_figure(&json, "fox", 7, &frame);
	reply_end_vertices(&json, &skinning);
	buffer_append(&text, "", 1);
	const char want[] =
		"{\"vertices\":8,\"instances\":[{\"rig\":\"fox\",\"first_vertex\":7,\"vertices\":1,"
		"\"position\":[[1,2,3]]}],\"skinning\":{\"method\":\"lbs\"";
	assert_memory_equal(text.data, want, sizeof want - 1);
	buffer_finish(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_crowd),
		cmocka_unit_test(figures_and_rigs_have_a_limit),
		cmocka_unit_test(absent_members_take_their_defaults),
		cmocka_unit_test(what_holds_comes_before_what_is_held),
		cmocka_unit_test(placements_are_maps),
		cmocka_unit_test(answers_tell_where_figures_begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
