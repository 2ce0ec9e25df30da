// Tokens: which files are refused, and who is found by what he shows.
#include "access/tokens.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/scope.h"
#include "text_file.h"

#include "check.h"

/* The SHA-256 of "artartartartartart", by sha256sum. */
#define ART_SHA256 "6630819bf265e7f35426fbd29e3ae2345f303185ee817176ceda17a574b4ab47"

static struct tokens *read_text(const char *text, size_t size, struct error *err) {
	char path[] = "/tmp/posed-tokens-XXXXXX";
	text_file_make(path, text, size);
	*err = (struct error){0};
	struct tokens *tokens = tokens_read(path, err);
	// The message is compared without the file's name.
	if (strncmp(err->text, path, strlen(path)) == 0) {
		memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
	}
	unlink(path);
	return tokens;
}

static void refuses_every_line_that_is_none(void **state) {
	(void)state;
	static const struct {
		const char *text, *piece;
	} cases[] = {
		{"a read\n", ":1: must be of the form NAME SCOPES TOKEN"},
		{"a\n", ":1: must be of the form"},
		{"# fine\n\na read 0123456789abcdef more\n", ":3: must be of the form"},
		{"a read 0123456789abcde\n", ":1: the token must have 16 to 256"},
		{"a read 0123456789abcdef!\n", ":1: the token must have"},
		{"a read 01234567=89abcdef\n", ":1: the token must have"},
		{"a read ================\n", ":1: the token must have"},
		{"a read 0123456789abcd\xc3\xa9\n", ":1: the token must have"},
		{"a rite 0123456789abcdef\n",
			":1: no scope \"rite\"; known are: read, render, write"},
		{"a read, 0123456789abcdef\n", ":1: no scope \"\""},
		{"a ,read 0123456789abcdef\n", ":1: no scope \"\""},
		{"a READ 0123456789abcdef\n", ":1: no scope \"READ\""},
		{"a none 0123456789abcdef\n", ":1: no scope \"none\""},
		{"a read,read 0123456789abcdef\n", ":1: the scope read is given twice"},
		{"a/b read 0123456789abcdef\n", ":1: the name \"a/b\" must have"},
		{"a\"b read 0123456789abcdef\n", ":1: the name"},
		{"a read sha256:00\n", ":1: behind \"sha256:\" must be 64"},
		{"a read sha256:" ART_SHA256 "00\n", ":1: behind \"sha256:\""},
		{"a read sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg\n",
			":1: behind \"sha256:\""},
		{"a read 0123456789abcdef\na read 0123456789abcdeg\n",
			":2: the name \"a\" is given twice"},
		{"a read 0123456789abcdef\nb read 0123456789abcdef\n",
			":2: this is also the token of \"a\""},
		// The SHA-256 of the first line's token.
		{"a read 0123456789abcdef\nb read "
		 "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n",
			":2: this is also the token of \"a\""},
		{"", " has no line NAME SCOPES TOKEN"},
		{"# nothing\n\n", " has no line NAME SCOPES TOKEN"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err;
		struct tokens *tokens = read_text(cases[i].text, strlen(cases[i].text), &err);
		assert_null(tokens);
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		if (strncmp(err.text, cases[i].piece, strlen(cases[i].piece)) != 0) {
			fail_msg("\"%s\" gives \"%s\"", cases[i].text, err.text);
		}
	}
}

static void messages_do_not_show_tokens(void **state) {
	(void)state;
	static const char *const texts[] = {"a read topsecret\n", "a read topsecret!topsecret\n",
		"a rite topsecrettopsecret\n", "a read sha256:topsecret\n",
		"a read topsecrettopsecret\nb read topsecrettopsecret\n"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error err;
		assert_null(read_text(texts[i], strlen(texts[i]), &err));
		assert_null(strstr(err.text, "topsecret"));
	}
}

static void refuses_zero_bytes_and_what_cannot_be_read(void **state) {
	(void)state;
	static const char text[] = "a read 0123456789\0abcdef\n";
	struct error err;
	assert_null(read_text(text, sizeof text - 1, &err));
	assert_string_equal(err.text, ":1: a byte is zero");
	err = (struct error){0};
	assert_null(tokens_read("/nowhere/tokens", &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_non_null(strstr(err.text, "/nowhere/tokens"));
}

static void takes_a_thousand_and_no_more(void **state) {
	(void)state;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	long before_last = 0;
	for (int i = 0; i <= MAX_TOKENS; i++) {
		before_last = i < MAX_TOKENS ? 0 : ftell(out);
		fprintf(out, "name%d render token-of-some-length-%d\n", i, i);
	}
	fclose(out);
	struct error err;
	assert_null(read_text(text, size, &err));
	assert_string_equal(err.text, ":1001: more than 1000 tokens");
	struct tokens *tokens = read_text(text, (size_t)before_last, &err);
	assert_non_null(tokens);
	const char *last = "token-of-some-length-999", *name;
	unsigned scopes;
	assert_true(tokens_find(tokens, last, strlen(last), &name, &scopes));
	assert_string_equal(name, "name999");
	tokens_destroy(tokens);
	free(text);
}

static void finds_who_shows_which(void **state) {
	(void)state;
	static const char text[] = "  # comment\n"
				   "ci\tread,write   0123456789abcdef \r\n"
				   "art render sha256:" ART_SHA256 "\n"
				   "all-3.x_y write,render,read abc+/~._-abc+/~._-==\n";
	static const struct {
		const char *token, *name;
		unsigned scopes;
	} cases[] = {
		{"0123456789abcdef", "ci", SCOPE_READ | SCOPE_WRITE},
		{"artartartartartart", "art", SCOPE_RENDER},
		{"abc+/~._-abc+/~._-==", "all-3.x_y", SCOPE_ALL},
		{"0123456789abcdeg", NULL, 0},
		{"0123456789abcde", NULL, 0},
		{"0123456789abcdef0", NULL, 0},
		{"sha256:" ART_SHA256, NULL, 0},
		{ART_SHA256, NULL, 0},
		{"", NULL, 0},
	};
	struct error err;
	struct tokens *tokens = read_text(text, sizeof text - 1, &err);
	assert_non_null(tokens);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = NULL;
		unsigned scopes = 0;
		const bool found =
			tokens_find(tokens, cases[i].token, strlen(cases[i].token), &name, &scopes);
		assert_int_equal(found, cases[i].name != NULL);
		assert_int_equal(scopes, cases[i].scopes);
		if (found) {
			assert_string_equal(name, cases[i].name);
		}
	}
	tokens_destroy(tokens);
}

static void scopes_are_written_as_they_are_read(void **state) {
	(void)state;
	char text[SCOPES_TEXT_BYTES];
	scopes_write(0, text);
	assert_string_equal(text, "none");
	for (unsigned scopes = 1; scopes <= SCOPE_ALL; scopes++) {
		unsigned again = 0;
		scopes_write(scopes, text);
		assert_true(scopes_read(text, strlen(text), &again, NULL));
		assert_int_equal(again, scopes);
	}
	assert_string_equal(text, "read,render,write");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_every_line_that_is_none),
		cmocka_unit_test(messages_do_not_show_tokens),
		cmocka_unit_test(refuses_zero_bytes_and_what_cannot_be_read),
		cmocka_unit_test(takes_a_thousand_and_no_more),
		cmocka_unit_test(finds_who_shows_which),
		cmocka_unit_test(scopes_are_written_as_they_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
