// Ranges of bytes, by the examples and rules of RFC 9110, section 14.1.2.
#include "http/precondition.h"

#include "check.h"

static void what_is_no_single_range_of_bytes_is_the_whole(void **state) {
	(void)state;
	static const char *const cases[] = {"", "bytes", "bytes=", "bytes=-", "bytes=a-b",
		"bytes=5-3", "bytes=0-1,5-6", "items=0-1", "bytes=0-1 ", "bytes= 0-1", "bytes=1",
		"bytes=-1-2", "bytes=+1-2", "bytes=0x1-2"};
	struct range range;
	assert_int_equal(range_read(NULL, 10000, &range), RANGE_WHOLE);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (range_read(cases[i], 10000, &range) != RANGE_WHOLE) {
			fail_msg("\"%s\" is a range", cases[i]);
		}
	}
}

static void ranges_are_those_of_the_examples(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t begin, bytes;
	} rows[] = {
		{"bytes=0-499", 0, 500},
		{"bytes=500-999", 500, 500},
		{"bytes=-500", 9500, 500},
		{"bytes=9500-", 9500, 500},
		{"bytes=0-0", 0, 1},
		{"bytes=-1", 9999, 1},
		{"bytes=0-", 0, 10000},
		{"bytes=9999-10000", 9999, 1},
		{"bytes=-20000", 0, 10000},
		{"bytes=1-99999999999999999999999", 1, 9999},
		{"BYTES=2-3", 2, 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct range range = {0};
		assert_int_equal(range_read(rows[i].text, 10000, &range), RANGE_PART);
		assert_int_equal(range.begin, rows[i].begin);
		assert_int_equal(range.bytes, rows[i].bytes);
	}
}

static void what_is_not_there_is_outside(void **state) {
	(void)state;
	struct range range;
	assert_int_equal(range_read("bytes=10000-", 10000, &range), RANGE_OUTSIDE);
	assert_int_equal(range_read("bytes=10000-10001", 10000, &range), RANGE_OUTSIDE);
	assert_int_equal(
		range_read("bytes=99999999999999999999999-", 10000, &range), RANGE_OUTSIDE);
	assert_int_equal(range_read("bytes=-0", 10000, &range), RANGE_OUTSIDE);
	assert_int_equal(range_read("bytes=0-", 0, &range), RANGE_OUTSIDE);
	assert_int_equal(range_read("bytes=-5", 0, &range), RANGE_OUTSIDE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_single_range_of_bytes_is_the_whole),
		cmocka_unit_test(ranges_are_those_of_the_examples),
		cmocka_unit_test(what_is_not_there_is_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
