// Names of rigs, and text in URLs.
#include <string.h>

#include "limits.h"
#include "name.h"
#include "url_text.h"

#include "check.h"

static const char *decode(struct arena *arena, const char *segment) {
	struct error err = {0};
	const char *name = name_decode(arena, segment, strlen(segment), &err);
	assert_int_equal(err.code, name ? ERROR_NONE : ERROR_INVALID_NAME);
	return name;
}

static void refuses_what_is_no_name(void **state) {
	(void)state;
	static const char *const cases[] = {"", ".", "..", "%2E", "%2e%2E", "a%2Fb", "%2f", "a/b",
		"a%00b", "a%0Ab", "%7f", "%C2%80", "%C2%9F", "%", "a%4", "%G1", "%FF", "%ED%A0%80",
		"%C0%AF", "\xff", "%F4%90%80%80"};
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (decode(arena, cases[i])) {
			fail_msg("\"%s\" was taken", cases[i]);
		}
	}
	char longer[LIMIT_NAME_BYTES + 2] = {0};
	memset(longer, 'x', LIMIT_NAME_BYTES + 1);
	assert_null(decode(arena, longer));
	assert_non_null(decode(arena, longer + 1));
	arena_destroy(arena);
}

static void takes_all_other_utf8(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	assert_string_equal(decode(arena, "f%6Fx"), "fox");
	assert_string_equal(decode(arena, "..."), "...");
	assert_string_equal(decode(arena, "a+b c%25"), "a+b c%");
	assert_string_equal(decode(arena, "%E2%82%AC%F0%9F%A6%8A"), "\xe2\x82\xac\xf0\x9f\xa6\x8a");
	assert_string_equal(decode(arena, "%5C%22<>"), "\\\"<>");
	arena_destroy(arena);
}

static void encoding_comes_back(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const char *name = "a/b %\xe2\x82\xac-._~?#";
	const char *encoded = url_encode(arena, name);
	assert_string_equal(encoded, "a%2Fb%20%25%E2%82%AC-._~%3F%23");
	assert_string_equal(url_decode(arena, encoded, strlen(encoded)), name);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_name),
		cmocka_unit_test(takes_all_other_utf8),
		cmocka_unit_test(encoding_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
