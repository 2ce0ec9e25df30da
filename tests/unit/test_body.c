// Bodies in pieces, small and large.
#include "http/body.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* Fills a body in pieces and holds what it has against what went in. */
static void expect_body(size_t size, size_t piece, bool file) {
	unsigned char *bytes = malloc(size + 1);
	for (size_t i = 0; i < size; i++) {
		bytes[i] = (unsigned char)(i * 7 + i / 251);
	}
	struct body body = {0};
	for (size_t at = 0; at < size; at += piece) {
		assert_true(body_append(&body, bytes + at, size - at < piece ? size - at : piece));
	}
	assert_true(body_complete(&body));
	assert_int_equal(body.size, size);
	assert_int_equal(body_file(&body) >= 0, file);
	if (size > 0) {
		assert_memory_equal(body_bytes(&body), bytes, size);
	}
	if (file) {
		unsigned char *again = malloc(size);
		assert_int_equal(pread(body_file(&body), again, size, 0), size);
		assert_memory_equal(again, bytes, size);
		assert_true(write(body_file(&body), "x", 1) < 0);
		assert_int_not_equal(ftruncate(body_file(&body), 0), 0);
		free(again);
	}
	body_finish(&body);
	assert_int_equal(body.size, 0);
	free(bytes);
}

static void bodies_come_back_whole(void **state) {
	(void)state;
	expect_body(0, 1, false);
	expect_body(1, 1, false);
	expect_body(1 << 20, 1000, false);
	expect_body((1 << 20) + 1, 32768, true);
	expect_body((1 << 20) + 1, 2 << 20, true);
	expect_body(3000001, 32768, true);
}

static void a_body_may_end_anywhere(void **state) {
	(void)state;
	static const unsigned char bytes[300000];
	struct body body = {0};
	body_finish(&body);
	assert_true(body_append(&body, bytes, 10));
	body_finish(&body);
	assert_true(body_append(&body, bytes, sizeof bytes));
	body_finish(&body);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_come_back_whole),
		cmocka_unit_test(a_body_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
