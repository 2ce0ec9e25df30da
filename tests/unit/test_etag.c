// Entity tags and the hashes below them.
#include "cache/etag.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void refuses_other_tags(void **state) {
	(void)state;
	static const char *const cases[] = {"", "\"\"", "\"abcd\"", "abc", "\"ab", "\"ab\", \"bc\"",
		"W/\"ab\"", "\"x\"abc\"", ",,,", "W/", "\"a*\""};
	assert_false(etag_matches(NULL, "\"abc\""));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (etag_matches(cases[i], "\"abc\"")) {
			fail_msg("%s matched", cases[i]);
		}
	}
}

static void finds_its_tag_in_lists(void **state) {
	(void)state;
	static const char *const cases[] = {"\"abc\"", "W/\"abc\"", "*", " * ", "\"x\", \"abc\"",
		"\"x,y\",W/\"abc\" , \"z\"", "junk, \"abc\""};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (!etag_matches(cases[i], "\"abc\"")) {
			fail_msg("%s did not match", cases[i]);
		}
	}
}

static void tags_depend_on_parts_and_their_borders(void **state) {
	(void)state;
	const struct hash_part one[] = {{"ab", 2}, {"c", 1}}, other[] = {{"a", 1}, {"bc", 2}};
	struct arena *arena = arena_create();
	const char *tag = etag_make(arena, one, 2);
	assert_int_equal(strlen(tag), 34);
	assert_string_equal(tag, etag_make(arena, one, 2));
	assert_string_not_equal(tag, etag_make(arena, other, 2));
	assert_string_not_equal(tag, etag_make(arena, one, 1));
	arena_destroy(arena);
}

static void hashes_are_sha256(void **state) {
	(void)state;
	char text[HASH_TEXT_BYTES];
	hash_bytes("abc", 3, text); // FIPS 180-2, B.1
	assert_string_equal(
		text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	struct error err = {0};
	assert_false(hash_file("/nonexistent", text, &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
}

/* readelf reads the build ID of this very program, and Python hashes it. */
static void a_program_is_known_by_its_build_id(void **state) {
	(void)state;
	static const char script[] = "import hashlib, re, sys; "
				     "found = re.search('Build ID: (\\w+)', sys.stdin.read()); "
				     "print(hashlib.sha256(bytes.fromhex(found[1])).hexdigest())";
	char command[512], expected[HASH_TEXT_BYTES] = "", text[HASH_TEXT_BYTES];
	snprintf(command, sizeof command,
		"LC_ALL=C readelf -n /proc/%d/exe | /usr/bin/python3 -c \"%s\"", getpid(), script);
	FILE *stream = popen(command, "r");
	assert_non_null(stream);
	assert_int_equal(fread(expected, 1, HASH_TEXT_BYTES - 1, stream), HASH_TEXT_BYTES - 1);
	assert_int_equal(fgetc(stream), '\n');
	assert_int_equal(pclose(stream), 0);
	assert_true(hash_program(text, NULL));
	assert_string_equal(text, expected);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_other_tags),
		cmocka_unit_test(finds_its_tag_in_lists),
		cmocka_unit_test(tags_depend_on_parts_and_their_borders),
		cmocka_unit_test(hashes_are_sha256),
		cmocka_unit_test(a_program_is_known_by_its_build_id),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
