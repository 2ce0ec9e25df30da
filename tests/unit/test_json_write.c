// Writing JSON: commas, escapes, numbers that read back the same.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/number.h"
#include "json_text.h"

#include "check.h"

/* U+FFFD, which stands for what is malformed. */
#define MEND "\xef\xbf\xbd"

static void expect(struct buffer *out, const char *text) {
	buffer_append(out, "", 1);
	assert_string_equal((char *)out->data, text);
	buffer_finish(out);
}

static void mends_strings_that_json_cannot_carry(void **state) {
	(void)state;
	struct buffer out = {0};
	struct json_writer json = {.out = &out};
	json_write_begin_list(&json);
	json_write_string(&json, "a\"\\/\b\f\n\r\t\x01\x1f\x7f");
	json_write_string(&json, "\xff ok \xc3\xa4 \xe2\x82 \xed\xa0\x80");
	json_write_end_list(&json);
	expect(&out,
		"[\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\","
		"\"" MEND " ok \xc3\xa4 " MEND MEND " " MEND MEND MEND "\"]");
}

static void puts_commas_between_items_only(void **state) {
	(void)state;
	struct buffer out = {0};
	struct json_writer json = {.out = &out};
	json_write_begin_object(&json);
	json_write_member_integer(&json, "a", INT64_MIN);
	json_write_key(&json, "b");
	json_write_begin_list(&json);
	json_write_begin_object(&json);
	json_write_end_object(&json);
	json_write_null(&json);
	json_write_bool(&json, true);
	json_write_begin_list(&json);
	json_write_end_list(&json);
	json_write_end_list(&json);
	const float numbers[] = {1, 0.5f, -2};
	json_write_member_floats(&json, "c", numbers, 3);
	json_write_member_bool(&json, "d", false);
	json_write_member_float(&json, "e", 0.1f);
	json_write_end_object(&json);
	expect(&out,
		"{\"a\":-9223372036854775808,\"b\":[{},null,true,[]],\"c\":[1,0.5,-2],"
		"\"d\":false,\"e\":0.1}");
}

static void expect_float(float x, const char *text) {
	char out[NUMBER_TEXT_BYTES];
	const size_t length = number_write_float(x, out);
	assert_int_equal(length, strlen(text));
	assert_memory_equal(out, text, length);
}

static void floats_are_short(void **state) {
	(void)state;
	static const struct {
		float x;
		const char *text;
	} cases[] = {
		{0.0f, "0"},
		{-0.0f, "0"},
		{1.0f, "1"},
		{-1.5f, "-1.5"},
		{0.1f, "0.1"},
		{0.3f, "0.3"},
		{1.0f / 3, "0.33333334"},
		{100.0f, "100"},
		{123456.7f, "123456.7"},
		{16777216.0f, "16777216"},
		{999999999.0f, "1e9"},
		{1e10f, "1e10"},
		{9.999999f, "9.999999"},
		{0.00001f, "0.00001"},
		{33554448, "33554448"}, // 33554450 is halfway to the next
		{1.5e9f, "1.5e9"},
		{1e30f, "1e30"},
		{2e31f, "2e+31"},
		{0.000001f, "1e-6"},
		{1.5e-17f, "1.5e-17"},
		{6.123234e-17f, "6.123234e-17"},
		{FLT_EPSILON, "1.1920929e-7"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		expect_float(cases[i].x, cases[i].text);
	}
}

/* True if a decimal is exactly half way between a float and its neighbour: readers that do not
 * round to even turn it into the neighbour, so the writer must not use it. */
static bool is_half_way(const char *text, float x) {
	const double value = strtod(text, NULL);
	const float neighbour = nextafterf(x, value > x ? INFINITY : 0);
	return value - x == ((double)neighbour - x) / 2;
}

/* The number of significant digits that printf needs for the same float. */
static size_t digits_needed(float x) {
	for (int digits = 1; digits < 9; digits++) {
		char text[64];
		snprintf(text, sizeof text, "%.*g", digits, (double)x);
		if (strtof(text, NULL) == x && !is_half_way(text, x)) {
			return (size_t)digits;
		}
	}
	return 9;
}

static size_t count_digits(const char *text) {
	size_t count = 0, zeros = 0;
	for (const char *c = text; *c && *c != 'e'; c++) {
		if (*c == '0') {
			zeros += count > 0;
		} else if (*c > '0') {
			count += zeros + 1;
			zeros = 0;
		}
	}
	return count;
}

/* Every 4,093rd float of all, subnormals and greatest ones too: 4,093 is prime, so that all
 * exponents and endings come up. */
static void floats_read_back_and_no_text_is_longer_than_needed(void **state) {
	(void)state;
	for (uint64_t bits = 1; bits < 0x7f800000; bits += 4093) {
		const uint32_t pattern = (uint32_t)bits;
		float x;
		memcpy(&x, &pattern, sizeof x);
		char text[NUMBER_TEXT_BYTES + 1];
		text[number_write_float(x, text)] = '\0';
		if (strtof(text, NULL) != x || count_digits(text) > digits_needed(x)) {
			fail_msg("%a became %s", (double)x, text);
		}
	}
}

static void doubles_read_back(void **state) {
	(void)state;
	static const double cases[] = {
		0, 0.1, 1.0 / 3, 1e300, 5e-324, DBL_MAX, 123456789.123456789, -2.5, 1e15, 1e16};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[NUMBER_TEXT_BYTES + 1];
		text[number_write_double(cases[i], text)] = '\0';
		assert_true(strtod(text, NULL) == cases[i]);
		struct arena *arena = arena_create();
		assert_non_null(json_read(arena, text, strlen(text), NULL));
		arena_destroy(arena);
	}
}

static void doubles_are_as_printf_writes_them(void **state) {
	(void)state;
	static const struct {
		double x;
		const char *text;
	} cases[] = {
		{-0.0, "0"},
		{0.0001, "0.0001"},
		{0.00001, "1e-05"},
		{-123456789.125, "-123456789.125"},
		{999999999999999, "999999999999999"},
		{1e15, "1e+15"},
		{1234567890123456, "1234567890123456"},
		{12345678901234568, "12345678901234568"},
		{1e17, "1e+17"},
		{0x1p-24, "5.9604644775390625e-08"},
		{5e-324, "4.94065645841247e-324"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[NUMBER_TEXT_BYTES + 1];
		text[number_write_double(cases[i].x, text)] = '\0';
		assert_string_equal(text, cases[i].text);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mends_strings_that_json_cannot_carry),
		cmocka_unit_test(puts_commas_between_items_only),
		cmocka_unit_test(floats_are_short),
		cmocka_unit_test(floats_read_back_and_no_text_is_longer_than_needed),
		cmocka_unit_test(doubles_read_back),
		cmocka_unit_test(doubles_are_as_printf_writes_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
