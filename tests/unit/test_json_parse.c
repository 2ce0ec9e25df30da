// JSON text into a tree: what is refused and where, and what comes out of the rest.
#include "import/json_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "import/limits.h"

/* The arena of the test that runs. */
static struct arena *arena;

static int open_arena(void **state) {
	(void)state;
	arena = arena_create();
	return 0;
}

static int close_arena(void **state) {
	(void)state;
	arena_destroy(arena);
	return 0;
}

/* Reads the text from a block of its size, so that ASan detects reads past it, and again from
 * where it lies with other text behind it: both must say the same. */
static const struct json_value *parse_bytes(const char *bytes, size_t size, struct error *err) {
	static const char behind[] = "}]}]}]}]\"0,:1}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]";
	struct error again = {0};
	char *exact = malloc(size ? size : 1), *roomy = malloc(size + sizeof behind);
	memcpy(exact, bytes, size);
	memcpy(roomy, bytes, size);
	memcpy(roomy + size, behind, sizeof behind);
	const struct json_text text = {exact, size, size};
	const struct json_text in_place = {roomy, size, size + sizeof behind};
	const struct json_value *value = json_parse(&text, arena, NULL, err);
	const struct json_value *other = json_parse(&in_place, arena, NULL, &again);
	assert_int_equal(value == NULL, other == NULL);
	assert_string_equal(err->text, again.text);
	free(exact);
	free(roomy);
	return value;
}

static const struct json_value *parse(const char *text) {
	struct error err = {0};
	const struct json_value *value = parse_bytes(text, strlen(text), &err);
	if (!value) {
		fail_msg("%s: %s", text, err.text);
	}
	return value;
}

static void expect_bytes_refusal(const char *bytes, size_t size, const char *why) {
	struct error err = {0};
	const struct json_value *value = parse_bytes(bytes, size, &err);
	if (value || err.code != ERROR_BROKEN_ASSET || !strstr(err.text, why)) {
		fail_msg("%s: \"%s\", expected \"%s\"", bytes, err.text, why);
	}
}

static void expect_refusal(const char *text, const char *why) {
	expect_bytes_refusal(text, strlen(text), why);
}

static void refuses_what_is_no_document(void **state) {
	(void)state;
	expect_refusal("", "document: line 1, column 1: ");
	expect_refusal("  ", "document: line 1, column 1: ");
	expect_refusal("[1]", "document: line 1, column 1: must be an object");
	expect_refusal("null", "document: line 1, column 1: must be an object");
	expect_refusal("{", "document: line 1, column 1: ");
	expect_refusal("{\"a\": 1}}", "line 1, column 9: something follows the document");
	expect_refusal("{\"a\": 1} {}", "line 1, column 10: something follows the document");
	expect_refusal("{\"a\": {\"b\": 1}", "document: line 1, column ");
	expect_refusal("{\"a\": [{}}", "document: line 1, column 10: ");
	expect_refusal("{\"a\": [1}", "document: line 1, column 9: ");
}

static void refuses_broken_members(void **state) {
	(void)state;
	expect_refusal("{\"a\"}", "line 1, column 5: ");
	expect_refusal("{\"a\" 1}", "line 1, column 6: ");
	expect_refusal("{\"a\": 1,}", "line 1, column 9: ");
	expect_refusal("{,\"a\": 1}", "line 1, column 2: ");
	expect_refusal("{a: 1}", "line 1, column 2: ");
	expect_refusal("{'a': 1}", "line 1, column 2: ");
	expect_refusal("{\"a\": 1 \"b\": 2}", "line 1, column 9: ");
	expect_refusal("{\n\t\"a\": 1,\r\n\n\t\"b\": 2,\n}", "line 5, column 1: ");
	expect_refusal("{\"a\": [1 2]}", "line 1, column 10: ");
	expect_refusal("{\"a\": [1,]}", "line 1, column 10: ");
	expect_refusal("{\"a\": [,1]}", "line 1, column 8: ");
	expect_refusal("{\"a\": 1 /* one */}", "line 1, column 9: ");
}

static void refuses_what_is_no_value(void **state) {
	(void)state;
	static const char *const values[] = {"NaN", "Infinity", "-", "+1", "01", "-01", ".5", "1.",
		"1.e1", "1e", "1e+", "0x10", "1e400", "-1e400", "1a", "truex", "True", "tru",
		"falsey", "nul", "nulls", "undefined"};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		char text[64];
		snprintf(text, sizeof text, "{\"a\": %s}", values[i]);
		expect_refusal(text, "document: line 1, column 7: ");
	}
}

static void refuses_broken_strings(void **state) {
	(void)state;
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"{\"a\": \"b}", "document: line 1, column 7: "},
		{"{\"a\": \"b\\\"}", "document: line 1, column 7: "},
		{"{\"a\": \"b\nc\"}", "document: line 1, column 9: "},
		{"{\"a\": \"b\tc\"}", "document: line 1, column 9: "},
		{"{\"a\": \"\\x\"}", "document: line 1, column 8: "},
		{"{\"a\": \"\\u12g4\"}", "document: line 1, column 8: "},
		{"{\"a\": \"\\ud800\"}", "document: line 1, column 8: "},
		{"{\"a\": \"\\udc00\"}", "document: line 1, column 8: "},
		// Not UTF-8: a lone byte, an overlong slash, a surrogate, past the last character.
		{"{\"a\": \"\xff\"}", "document: line 1, column 8: "},
		{"{\"\xc3\xa9\": \"\xc0\xaf\"}", "document: line 1, column 9: "},
		{"{\"a\": \"\xed\xa0\x80\"}", "document: line 1, column 8: "},
		{"{\"a\": \"b\xf4\x90\x80\x80\"}", "document: line 1, column 9: "},
		{"{\"a\": \"\xe2\x82\"}", "document: line 1, column 8: "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		expect_refusal(rows[i].text, rows[i].why);
	}
	expect_bytes_refusal("{\"a\": \"b\0c\"}", 12, "document: line 1, column 9: ");
	expect_bytes_refusal("{\"a\": 1\0}", 9, "document: line 1, column 7: ");
}

/* Lists inside of lists, depth of them, in the document. */
static char *nested(size_t depth) {
	char *text = calloc(2 * depth + 16, 1);
	strcpy(text, "{\"a\":");
	memset(text + 5, '[', depth);
	memset(text + 5 + depth, ']', depth);
	text[5 + 2 * depth] = '}';
	return text;
}

static void refuses_deeper_nesting_than_the_limit(void **state) {
	(void)state;
	char *deepest = nested(IMPORT_JSON_DEPTH_MAX - 1), *deeper = nested(IMPORT_JSON_DEPTH_MAX);
	assert_int_equal(parse(deepest)->count, 1);
	expect_refusal(deeper, "nested deeper than is accepted");
	free(deepest);
	free(deeper);
	char *far_too_deep = nested(1000000);
	expect_refusal(far_too_deep, "document: line 1, column 517: nested deeper");
	free(far_too_deep);
}

static void refuses_more_values_than_the_limit(void **state) {
	(void)state;
	static const char start[] = "{\"a\":[1", more[] = ",1";
	struct buffer text = {0};
	buffer_append(&text, start, sizeof start - 1);
	for (size_t i = 2; i < IMPORT_JSON_VALUES_MAX; i++) {
		buffer_append(&text, more, sizeof more - 1);
	}
	buffer_append(&text, "]}", 2);
	struct error err = {0};
	struct json_text json = {(const char *)text.data, text.size, text.size};
	assert_int_equal(json_parse(&json, arena, NULL, &err)->count, 1);
	text.size -= 2;
	buffer_append(&text, ",1]}", 4);
	json = (struct json_text){(const char *)text.data, text.size, text.size};
	assert_null(json_parse(&json, arena, NULL, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_non_null(strstr(err.text, "more values than are accepted"));
	buffer_finish(&text);
}

static double number_of(const char *text) {
	char document[512];
	snprintf(document, sizeof document, "{\"a\":%s}", text);
	const struct json_value *value = json_tree_find(parse(document), "a");
	assert_int_equal(value->kind, JSON_KIND_NUMBER);
	return value->of.number;
}

static void numbers_are_the_nearest_doubles(void **state) {
	(void)state;
	static const char *const texts[] = {"0", "-0", "-0.0", "1", "0.1", "-2.5e-3", "1E5", "1e+5",
		"9007199254740993", "18446744073709551616", "123456789012345678901234567890",
		"2.2250738585072011e-308", "5e-324", "1e-400", "1.7976931348623157e308",
		"8.442911e-05", "-3.386098232317433e-14",
		"1.00000000000000011102230246251565404236", "7.2057594037927933e16",
		"0.000000000000000000000000000000000000000000000000001", "0.84200210506579743041",
		"-0.00910770080708020401876312"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const double expected = strtod(texts[i], NULL), actual = number_of(texts[i]);
		assert_memory_equal(&actual, &expected, sizeof actual);
	}
}

static void reads_every_kind(void **state) {
	(void)state;
	const struct json_value *root = parse(
		" {\"n\": null, \"f\":false,\"t\" :true , \"s\": \"x\", \"l\": [ ], \"o\": { } } ");
	static const struct {
		const char *name;
		enum json_kind kind;
	} rows[] = {
		{"n", JSON_KIND_NULL},
		{"f", JSON_KIND_FALSE},
		{"t", JSON_KIND_TRUE},
		{"s", JSON_KIND_STRING},
		{"l", JSON_KIND_LIST},
		{"o", JSON_KIND_OBJECT},
	};
	assert_int_equal(root->count, 6);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(json_tree_find(root, rows[i].name)->kind, rows[i].kind);
	}
	assert_null(json_tree_find(root, "x"));
	assert_null(json_tree_find(json_tree_find(root, "l"), "x"));
	assert_null(json_tree_find(json_tree_find(root, "o"), "x"));
	assert_null(json_tree_find(NULL, "x"));
	assert_string_equal(json_tree_string(json_tree_find(root, "s")), "x");
	assert_null(json_tree_string(root));
	assert_null(json_tree_string(NULL));
}

static void strings_are_unescaped(void **state) {
	(void)state;
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"", ""},
		{"a", "a"},
		{"12345678", "12345678"},
		{"123456789", "123456789"},
		{"a string of more letters than are shared",
			"a string of more letters than are shared"},
		{"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
		{"\\u0041\\u00e9\\u20ac\\ud83d\\ude00", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"\xc3\xa9\xf0\x9f\x98\x80\x7f", "\xc3\xa9\xf0\x9f\x98\x80\x7f"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char document[256];
		snprintf(document, sizeof document, "{\"a\": \"%s\"}", rows[i].text);
		const struct json_value *value = json_tree_find(parse(document), "a");
		assert_string_equal(json_tree_string(value), rows[i].expected);
		assert_int_equal(value->count, strlen(rows[i].expected));
	}
	assert_non_null(json_tree_find(parse("{\"\\u0061\\tb\": 1}"), "a\tb"));
}

/* Valid in JSON; a C string cannot hold it, and must not end there either. */
static void nul_becomes_the_replacement_character(void **state) {
	(void)state;
	static const struct {
		const char *text, *expected;
		size_t replaced;
	} rows[] = {
		{"\\u0000", "\xef\xbf\xbd", 1},
		{"a\\u0000b",
			"a\xef\xbf\xbd"
			"b",
			1},
		{"\\u0000\\u0000\\n\\u0000", "\xef\xbf\xbd\xef\xbf\xbd\n\xef\xbf\xbd", 3},
		{"\\\\u0000", "\\u0000", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char document[256];
		struct error err = {0};
		size_t replaced = 7;
		snprintf(document, sizeof document, "{\"a\": \"%s\"}", rows[i].text);
		const struct json_text text = {document, strlen(document), strlen(document)};
		const struct json_value *root = json_parse(&text, arena, &replaced, &err);
		assert_string_equal(err.text, "");
		assert_string_equal(json_tree_string(json_tree_find(root, "a")), rows[i].expected);
		assert_int_equal(json_tree_find(root, "a")->count, strlen(rows[i].expected));
		assert_int_equal(replaced, rows[i].replaced);
	}
	assert_non_null(json_tree_find(parse("{\"a\\u0000b\": 1}"),
		"a\xef\xbf\xbd"
		"b"));
}

/* Words that share ends and lengths with others, each still itself. */
static void like_strings_stay_apart(void **state) {
	(void)state;
	const struct json_value *list = json_tree_find(
		parse("{\"l\": [\"bone_0123456_x\", \"bone_0123457_x\", \"bone_0x23456_x\", "
		      "\"bone_0123456_x\", \"\", \"b\", \"bo\", \"b\"]}"),
		"l");
	static const char *const expected[] = {"bone_0123456_x", "bone_0123457_x", "bone_0x23456_x",
		"bone_0123456_x", "", "b", "bo", "b"};
	for (uint32_t i = 0; i < list->count; i++) {
		assert_string_equal(json_tree_string(&list->of.elements[i]), expected[i]);
	}
}

/* Objects of so many members, numbered; every seventh name comes a second time at the end. */
static void finds_the_last_member_of_a_name_in_objects_of_any_size(void **state) {
	(void)state;
	static const int sizes[] = {1, 2, 15, 16, 17, 18, 100, 5000};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct buffer text = {0};
		char member[64];
		for (int i = 0; i < sizes[s]; i++) {
			snprintf(member, sizeof member, "%s\"m%d\": %d", i ? ", " : "{", i, i);
			buffer_append(&text, member, strlen(member));
		}
		for (int i = 0; i < sizes[s]; i += 7) {
			snprintf(member, sizeof member, ", \"m%d\": %d", i, -i);
			buffer_append(&text, member, strlen(member));
		}
		buffer_append(&text, "}", 2);
		const struct json_value *object = parse((const char *)text.data);
		for (int i = 0; i < sizes[s]; i++) {
			snprintf(member, sizeof member, "m%d", i);
			const double number = json_tree_find(object, member)->of.number;
			assert_true(number == (i % 7 ? i : -i));
		}
		assert_null(json_tree_find(object, "m"));
		assert_null(json_tree_find(object, "m-1"));
		assert_null(json_tree_find(object, "zzz"));
		assert_null(json_tree_find(object, ""));
		buffer_finish(&text);
	}
}

/* The same names in another order, and fewer of them, are other lists of names. */
static void objects_of_like_names_keep_their_own_values(void **state) {
	(void)state;
	const struct json_value *list = json_tree_find(
		parse("{\"l\": [{\"a\": 0, \"b\": 1}, {\"b\": 1, \"a\": 0}, {\"a\": 0}, "
		      "{\"a\": 0, \"b\": 1}, {\"a\": 0, \"b\": 1, \"c\": 2}]}"),
		"l");
	for (uint32_t i = 0; i < list->count; i++) {
		const struct json_value *object = &list->of.elements[i];
		const struct json_value *b = json_tree_find(object, "b");
		assert_true(json_tree_find(object, "a")->of.number == 0);
		assert_int_equal(b != NULL, i != 2);
		assert_true(!b || b->of.number == 1);
	}
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
	const struct CMUnitTest tests[] = {
		CASE(refuses_what_is_no_document),
		CASE(refuses_broken_members),
		CASE(refuses_what_is_no_value),
		CASE(refuses_broken_strings),
		CASE(refuses_deeper_nesting_than_the_limit),
		CASE(refuses_more_values_than_the_limit),
		CASE(numbers_are_the_nearest_doubles),
		CASE(reads_every_kind),
		CASE(strings_are_unescaped),
		CASE(nul_becomes_the_replacement_character),
		CASE(like_strings_stay_apart),
		CASE(finds_the_last_member_of_a_name_in_objects_of_any_size),
		CASE(objects_of_like_names_keep_their_own_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
