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

static void refuses_to_put_what_cannot_be_seen(void **state) {
	(void)state;
	static const char *const cases[] = {"%C2%AD", "%CD%8F", "%D8%9C", "%E1%85%9F", "%E1%A0%8E",
		"%E2%80%8B", "%E2%80%8C", "%E2%80%8D", "%E2%80%8E", "%E2%80%8F", "%E2%80%A8",
		"%E2%80%AA", "%E2%80%AE", "%E2%81%A0", "%E2%81%A6", "%E2%81%A9", "%E3%85%A4",
		"%EF%BB%BF", "%EF%BF%B9", "%F3%A0%80%81", "%F3%A0%81%BF"};
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = decode(arena, arena_printf(arena, "a%sb", cases[i]));
		struct error err = {0};
		// Rigs stored under such a name can be read and deleted.
		assert_non_null(name);
		if (name_check_new(name, &err)) {
			fail_msg("\"%s\" was taken", cases[i]);
		}
		assert_int_equal(err.code, ERROR_INVALID_NAME);
		assert_non_null(strstr(err.text, "U+"));
	}
	// Their neighbours, and a heart with a variation selector.
	static const char *const others[] = {"%C2%AC", "%C2%AE", "%E2%80%8A", "%E2%80%90",
		"%E2%80%A7", "%E2%80%AF", "%E2%81%9F", "%E2%81%B0", "%EF%BB%BC", "%EF%BC%81",
		"%E2%9D%A4%EF%B8%8F", "%F0%9F%A6%8A", "%F3%A0%84%80", "fox"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_true(name_check_new(decode(arena, others[i]), NULL));
	}
	assert_false(name_check_new("..", NULL));
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
		cmocka_unit_test(refuses_to_put_what_cannot_be_seen),
		cmocka_unit_test(takes_all_other_utf8),
		cmocka_unit_test(encoding_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
