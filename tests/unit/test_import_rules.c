// Warnings of broken rules: one for each rule, short, and found in bounded time whatever a file
// names how often. What is found tests/conformance/rules.mjs holds against Khronos' validator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "check.h"
#include "gltf_builder.h"
#include "import/gltf_rules.h"
#include "import/import.h"

#define START "{\"asset\": {\"version\": \"2.0\"}, "

/* Text over and over, with a comma between. */
static void repeat(struct buffer *json, const char *text, int count) {
	for (int i = 0; i < count; i++) {
		buffer_append(json, ",", i > 0);
		buffer_append(json, text, strlen(text));
	}
}

static void add(struct buffer *json, const char *text) {
	buffer_append(json, text, strlen(text));
}

/* Imports, within 5 seconds of processor time (a tenth on any machine of today, but for
 * sanitizers), and drops the text. */
static struct rig *import_soon(struct buffer *json) {
	struct error err = {0};
	const clock_t start = clock();
	struct rig *rig = import_rig(json->data, json->size, &err);
	assert_string_equal(err.text, "");
	const double taken_s = (double)(clock() - start) / CLOCKS_PER_SEC;
	if (taken_s > 5) {
		fail_msg("took %g s", taken_s);
	}
	buffer_finish(json);
	return rig;
}

static void each_rule_is_told_of_once(void **state) {
	(void)state;
	struct buffer json = {0};
	add(&json, START "\"nodes\": [");
	repeat(&json, "{\"rotation\": [0, 0, 0, 0.5], \"children\": []}", 50000);
	add(&json, "]}");
	struct rig *rig = import_soon(&json);
	assert_int_equal(rig->warning_count, 3); // and it draws nothing
	assert_true(has_warning(rig,
		"nodes[0].rotation: ROTATION_NON_UNIT: has length 0.5; made 1 (and in 49999 more "
		"places)"));
	assert_true(has_warning(
		rig, "nodes[0].children: EMPTY_ENTITY: is empty (and in 49999 more places)"));
	rig_release(rig);
}

static void warnings_are_short(void **state) {
	(void)state;
	struct buffer json = {0};
	add(&json, START "\"extensionsUsed\": [\"A");
	repeat(&json, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 100000);
	add(&json, "\", \"B\", \"B\"], \"nodes\": [{\"extensions\": {\"C");
	repeat(&json, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 100000);
	add(&json, "\": 5}}]}");
	struct rig *rig = import_soon(&json);
	assert_true(rig->warning_count >= 4);
	for (int i = 0; i < rig->warning_count; i++) {
		assert_true(strlen(rig->warnings[i]) < 512);
	}
	assert_true(has_warning(rig, "DUPLICATE_ELEMENTS"));
	assert_true(has_warning(rig, "UNDECLARED_EXTENSION"));
	rig_release(rig);
}

/* Of members of one name the last one counts, and the others break nothing. */
static void the_last_of_a_name_counts(void **state) {
	(void)state;
	const struct {
		const char *text;
		bool broken;
	} rows[] = {
		{START "\"nodes\": [], \"nodes\": [{}]}", false},
		{START "\"nodes\": [{}], \"nodes\": []}", true},
		{START "\"nodes\": [], \"nodes\": [{}], \"a\": 1, \"b\": 1, \"c\": 1, \"d\": 1, "
		       "\"e\": 1, \"f\": 1, \"g\": 1, \"h\": 1, \"i\": 1, \"j\": 1, \"k\": 1, "
		       "\"l\": 1, \"m\": 1, \"n\": 1, \"o\": 1}",
			false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = {0};
		struct rig *rig = import_text(rows[i].text, &err);
		assert_string_equal(err.text, "");
		assert_int_equal(has_warning(rig, "nodes: EMPTY_ENTITY"), rows[i].broken);
		rig_release(rig);
	}
}

static void what_is_no_json_at_its_ends_is_told(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig = import_text("\xef\xbb\xbf" START "\"nodes\": [{}]}", &err);
	assert_true(has_warning(rig, "JSON: INVALID_JSON: begins with a byte order mark"));
	rig_release(rig);
	static const char nul[] = START "\"nodes\": [{}]}\0";
	rig = import_rig(nul, sizeof nul, &err);
	assert_true(has_warning(rig, "JSON: INVALID_JSON: ends with NUL"));
	rig_release(rig);
	rig = import_text(START "\"nodes\": [{}]} \n", &err);
	assert_string_equal(err.text, "");
	assert_false(has_warning(rig, "INVALID_JSON"));
	rig_release(rig);
}

/* Other warnings may fill their hundred: those of rules have room of their own. */
static void many_warnings_crowd_out_none(void **state) {
	(void)state;
	struct buffer json = {0};
	add(&json, START "\"extensionsUsed\": [");
	for (int i = 0; i < 500; i++) {
		char name[40];
		snprintf(name, sizeof name, "%s\"EXT_%d\"", i ? ", " : "", i);
		add(&json, name);
	}
	add(&json, "], \"nodes\": [{\"rotation\": [0, 0, 0, 0.5]}]}");
	struct rig *rig = import_soon(&json);
	assert_int_equal(rig->warning_count, 102); // and it draws nothing
	assert_true(has_warning(rig, "ROTATION_NON_UNIT"));
	rig_release(rig);
	assert_true(GLTF_RULE_COUNT <= 100);
}

/* A thousand accessors of the same million bytes. */
static void numbers_are_not_read_without_end(void **state) {
	(void)state;
	struct gltf_builder b = {0};
	float *zeros = calloc(1 << 18, sizeof *zeros);
	add_view(&b, zeros, sizeof *zeros << 18);
	free(zeros);
	for (int i = 0; i < 20000; i++) {
		add_accessor(&b,
			"{\"bufferView\": 0, \"componentType\": 5126, \"count\": 262144, \"type\": "
			"\"SCALAR\", \"max\": [1]}");
	}
	struct buffer glb = {0};
	size_t size;
	unsigned char *bytes = build_glb(&b, "\"nodes\": [{}]", &size);
	buffer_append(&glb, bytes, size);
	free(bytes);
	gltf_builder_finish(&b);
	struct rig *rig = import_soon(&glb);
	assert_true(
		has_warning(rig, "accessors[0].max[0]: ACCESSOR_MAX_MISMATCH: is 1, but it is 0"));
	rig_release(rig);
}

/* Accessors without bytes may be longer than any memory. */
static void zeros_are_not_read(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig = import_text(START
		"\"accessors\": [{\"componentType\": 5126, \"count\": 1099511627776, \"type\": "
		"\"MAT4\", \"min\": [0]}]}",
		&err);
	assert_string_equal(err.text, "");
	rig_release(rig);
}

/* Thirty thousand scenes of one tree of thirty thousand nodes, each with a skin of many joints. */
static void trees_are_not_walked_without_end(void **state) {
	(void)state;
	const int count = 30000;
	struct buffer json = {0};
	char text[60];
	add(&json, START "\"skins\": [{\"joints\": [");
	for (int i = 0; i < count; i++) {
		snprintf(text, sizeof text, "%s%d", i ? "," : "", i);
		add(&json, text);
	}
	add(&json, "]}], \"meshes\": [{\"primitives\": [{\"attributes\": {}}]}], \"scenes\": [");
	repeat(&json, "{\"nodes\": [0]}", count);
	add(&json, "], \"nodes\": [");
	for (int i = 0; i < count; i++) {
		snprintf(text, sizeof text, "%s{\"mesh\": 0, \"skin\": 0", i ? "," : "");
		add(&json, text);
		if (i + 1 < count) {
			snprintf(text, sizeof text, ", \"children\": [%d]", i + 1);
			add(&json, text);
		}
		add(&json, "}");
	}
	add(&json, "]}");
	rig_release(import_soon(&json));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_is_told_of_once),
		cmocka_unit_test(warnings_are_short),
		cmocka_unit_test(the_last_of_a_name_counts),
		cmocka_unit_test(what_is_no_json_at_its_ends_is_told),
		cmocka_unit_test(many_warnings_crowd_out_none),
		cmocka_unit_test(numbers_are_not_read_without_end),
		cmocka_unit_test(zeros_are_not_read),
		cmocka_unit_test(trees_are_not_walked_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
