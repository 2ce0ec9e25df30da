// Reading JSON: what is refused, and what becomes of the rest.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "json_text.h"
#include "json_value.h"
#include "limits.h"

#include "check.h"

static void refuse(const char *text, size_t size, enum error_code code, const char *piece) {
	struct arena *arena = arena_create();
	struct error err = {0};
	assert_null(json_read(arena, text, size, &err));
	expect_error(&err, code, err.has_pointer ? err.pointer : NULL, piece);
	arena_destroy(arena);
}

/* left, then `middle`, then right, each of the outer ones count times. */
static char *repeat(const char *left, const char *middle, const char *right, size_t count) {
	struct buffer text = {0};
	for (size_t i = 0; i < count; i++) {
		buffer_append(&text, left, strlen(left));
	}
	buffer_append(&text, middle, strlen(middle));
	for (size_t i = 0; i < count; i++) {
		buffer_append(&text, right, strlen(right));
	}
	buffer_append(&text, "", 1);
	size_t size;
	return (char *)buffer_steal(&text, &size);
}

static void refuses_what_is_no_json(void **state) {
	(void)state;
	static const struct {
		const char *text, *piece;
	} cases[] = {
		{"", "line 1"},
		{"{", "line 1, column 1"},
		{"{\"a\": 1,}", "line 1"},
		{"{\n\"a\": nope}", "line 2"},
		{"{\"a\": 1, \"a\": 2}", "duplicate"},
		{"{\"a\": 1} {}", "end of file expected"},
		{"{\"a\": NaN}", "line 1"},
		{"{\"a\": Infinity}", "line 1"},
		{"{\"a\": 1e999}", "real number overflow"},
		{"{\"a\": 01}", "line 1"},
		{"{\"a\": \"\\u0000\"}", "\\u0000"},
		{"{\"a\": \"\\ud800\"}", "line 1"},
		{"{\"a\": \"\xff\"}", "byte 0xff"},
		{"{'a': 1}", "line 1"},
		{"\xef\xbb\xbf{}", "line 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		refuse(cases[i].text, strlen(cases[i].text), ERROR_INVALID_JSON, cases[i].piece);
	}
	refuse("{\"a\": 1}\0", 9, ERROR_INVALID_JSON, "");
}

static void refuses_what_is_nested_too_deep(void **state) {
	(void)state;
	char *deep = repeat("[", "1", "]", LIMIT_JSON_DEPTH + 1);
	refuse(deep, strlen(deep), ERROR_INVALID_JSON, "more than 64 deep");
	struct arena *arena = arena_create();
	assert_non_null(json_read(arena, deep + 1, strlen(deep) - 2, NULL));
	arena_destroy(arena);
	free(deep);
	char *deeper = repeat("{\"a\":[", "1", "]}", 100000);
	refuse(deeper, strlen(deeper), ERROR_INVALID_JSON, "");
	free(deeper);
}

static void refuses_too_many_values(void **state) {
	(void)state;
	char *many = repeat("0,", "0", "", LIMIT_JSON_VALUES);
	struct buffer text = {0};
	buffer_append(&text, "[", 1);
	buffer_append(&text, many, strlen(many));
	buffer_append(&text, "]", 1);
	refuse((char *)text.data, text.size, ERROR_TOO_LARGE, "262144");
	buffer_finish(&text);
	free(many);
}

static void values_keep_kind_order_and_place(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct value *root = json_value(arena,
		"{'z': [true, null, 'x'], 'a/b': {'~': -1.5e3}, 'big': 18446744073709551616}");
	assert_int_equal(root->count, 3);
	assert_string_equal(root->items[0].key, "z");
	const struct value *list = &root->items[0];
	assert_int_equal(list->kind, VALUE_LIST);
	assert_true(list->items[0].boolean);
	assert_int_equal(list->items[1].kind, VALUE_NULL);
	assert_string_equal(list->items[2].string, "x");
	const struct value *number = value_member(value_member(root, "a/b"), "~");
	assert_near(number->number, -1500, 0);
	assert_near(value_member(root, "big")->number, 18446744073709551616.0, 0);
	char pointer[64];
	value_pointer(number, pointer, sizeof pointer);
	assert_string_equal(pointer, "/a~1b/~0");
	value_pointer(&list->items[2], pointer, sizeof pointer);
	assert_string_equal(pointer, "/z/2");
	arena_destroy(arena);
}

static void a_document_may_be_a_plain_value(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	assert_string_equal(json_value(arena, "'rest'")->string, "rest");
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_json),
		cmocka_unit_test(refuses_what_is_nested_too_deep),
		cmocka_unit_test(refuses_too_many_values),
		cmocka_unit_test(values_keep_kind_order_and_place),
		cmocka_unit_test(a_document_may_be_a_plain_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
