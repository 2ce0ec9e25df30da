// Signatures of links, checked against imgproxy's own example and Python's hmac.
#include "access/signature.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text_file.h"

#include "check.h"

/* The example of imgproxy's documentation, key and salt in ASCII. */
#define PATH "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
#define SIGNATURE "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8"
static const struct sign_key example = {
	.key = "secret", .salt = "hello", .key_bytes = 6, .salt_bytes = 5};

static struct sign_keys *read_text(const char *text, struct error *err) {
	char path[] = "/tmp/posed-keys-XXXXXX";
	text_file_make(path, text, strlen(text));
	*err = (struct error){0};
	struct sign_keys *keys = sign_keys_read(path, err);
	// The message is compared without the file's name.
	if (strncmp(err->text, path, strlen(path)) == 0) {
		memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
	}
	unlink(path);
	return keys;
}

#define KEY "000102030405060708090a0b0c0d0e0f"

static void refuses_every_line_that_is_none(void **state) {
	(void)state;
	static const struct {
		const char *text, *piece;
	} cases[] = {
		{KEY "\n", ":1: must be of the form KEY SALT"},
		{KEY " 00 11\n", ":1: must be of the form"},
		{KEY "0 00\n", ":1: the key must be"},
		{"000102030405060708090a0b0c0d0e 00\n", ":1: the key must be"},
		{"0x0102030405060708090a0b0c0d0e0f 00\n", ":1: the key must be"},
		{KEY " 0\n", ":1: the salt must be"},
		{"# fine\n" KEY " 00\n" KEY " 0g\n", ":3: the salt must be"},
		{"", " has no line KEY SALT"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err;
		assert_null(read_text(cases[i].text, &err));
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		assert_null(strstr(err.text, "0102030405"));
		if (strncmp(err.text, cases[i].piece, strlen(cases[i].piece)) != 0) {
			fail_msg("\"%s\" gives \"%s\"", cases[i].text, err.text);
		}
	}
}

static void refuses_more_than_fit(void **state) {
	(void)state;
	char text[MAX_SIGN_KEY * 2 + 64], pairs[(MAX_SIGN_KEYS + 1) * sizeof KEY + 256] = "";
	struct error err;
	snprintf(text, sizeof text, "%0*d 00\n", MAX_SIGN_KEY * 2 + 2, 0);
	assert_null(read_text(text, &err));
	snprintf(text, sizeof text, "%0*d 00\n", MAX_SIGN_KEY * 2, 0);
	struct sign_keys *keys = read_text(text, &err);
	assert_non_null(keys);
	assert_int_equal(keys->list[0].key_bytes, MAX_SIGN_KEY);
	sign_keys_destroy(keys);
	for (int i = 0; i <= MAX_SIGN_KEYS; i++) {
		strcat(pairs, KEY " 00\n");
	}
	assert_null(read_text(pairs, &err));
	assert_string_equal(err.text, ":33: more than 32 pairs of key and salt");
}

static void gives_imgproxy_s_signature(void **state) {
	(void)state;
	// By Python: base64.urlsafe_b64encode(hmac.new(b"secret", b"hello" + path, "sha256")
	// .digest()[:bytes]).rstrip(b"=").
	static const struct {
		size_t bytes;
		const char *text;
	} cases[] = {
		{32, SIGNATURE},
		{31, "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXA"},
		{30, "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUc"},
		{16, "oKfUtW34Dvo2BGQehJFR4A"},
		{8, "oKfUtW34Dvo"},
	};
	const struct sign_keys keys = {.list = {example}, .count = 1};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[SIGNATURE_TEXT_BYTES];
		signature_write(&example, PATH, cases[i].bytes, text);
		assert_string_equal(text, cases[i].text);
		const size_t length = strlen(text);
		assert_true(signature_matches(&keys, cases[i].bytes, text, length, PATH));
		assert_false(signature_matches(&keys, cases[i].bytes, text, length - 1, PATH));
		assert_false(signature_matches(&keys, cases[i].bytes, text, length, PATH "x"));
	}
	assert_false(signature_matches(&keys, 32, cases[3].text, strlen(cases[3].text), PATH));
	assert_false(signature_matches(&keys, 16, SIGNATURE, strlen(SIGNATURE), PATH));
	assert_false(signature_matches(&keys, 32, SIGNATURE "=", strlen(SIGNATURE) + 1, PATH));
	assert_false(signature_matches(&keys, 32, "", 0, PATH));
}

static void any_flipped_bit_makes_it_wrong(void **state) {
	(void)state;
	const struct sign_keys keys = {.list = {example}, .count = 1};
	for (size_t bit = 0; bit < strlen(SIGNATURE) * 8; bit++) {
		char text[] = SIGNATURE;
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		assert_false(signature_matches(&keys, 32, text, strlen(SIGNATURE), PATH));
	}
}

static void every_pair_of_a_file_signs(void **state) {
	(void)state;
	struct error err;
	struct sign_keys *keys = read_text(KEY " 00\n# next\n0F" KEY " aAbB\n", &err);
	assert_non_null(keys);
	assert_int_equal(keys->count, 2);
	assert_int_equal(keys->list[1].key_bytes, 17);
	assert_int_equal(keys->list[1].key[0], 0x0f);
	assert_int_equal(keys->list[1].salt[1], 0xbb);
	for (size_t i = 0; i < 2; i++) {
		char text[SIGNATURE_TEXT_BYTES];
		signature_write(&keys->list[i], "/a.png", 32, text);
		assert_true(signature_matches(keys, 32, text, strlen(text), "/a.png"));
	}
	assert_false(signature_matches(keys, 32, SIGNATURE, strlen(SIGNATURE), PATH));
	sign_keys_destroy(keys);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_every_line_that_is_none),
		cmocka_unit_test(refuses_more_than_fit),
		cmocka_unit_test(gives_imgproxy_s_signature),
		cmocka_unit_test(any_flipped_bit_makes_it_wrong),
		cmocka_unit_test(every_pair_of_a_file_signs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
