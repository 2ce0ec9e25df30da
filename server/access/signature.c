// Signatures of links.
#include "access/signature.h"

#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "url_text.h"

/* Reads hexadecimal digits of min to MAX_SIGN_KEY bytes; false if they are not. */
static bool read_bytes(struct span digits, size_t min, uint8_t *out, size_t *count) {
	*count = digits.length / 2;
	if (digits.length % 2 != 0 || *count < min || *count > MAX_SIGN_KEY) {
		return false;
	}
	for (size_t i = 0; i < *count; i++) {
		const int high = hex_digit_value(digits.start[2 * i]);
		const int low = hex_digit_value(digits.start[2 * i + 1]);
		if (high < 0 || low < 0) {
			return false;
		}
		out[i] = (uint8_t)(high * 16 + low);
	}
	return true;
}

/* Error messages must not show keys or salts. */
static bool take_line(void *context, const struct line *line, struct error *err) {
	struct sign_keys *keys = context;
	struct span rest = line->text;
	const struct span key = span_take_word(&rest);
	const struct span salt = span_take_word(&rest);
	if (salt.length == 0 || rest.length > 0) {
		return line_error(line, err, "must be of the form KEY SALT, both in hexadecimal");
	}
	if (keys->count == MAX_SIGN_KEYS) {
		return line_error(line, err, "more than %d pairs of key and salt", MAX_SIGN_KEYS);
	}
	struct sign_key *out = &keys->list[keys->count];
	if (!read_bytes(key, MIN_SIGN_KEY, out->key, &out->key_bytes)) {
		return line_error(line, err,
			"the key must be an even number of hexadecimal digits, of %d to %d bytes",
			MIN_SIGN_KEY, MAX_SIGN_KEY);
	}
	if (!read_bytes(salt, 1, out->salt, &out->salt_bytes)) {
		return line_error(line, err,
			"the salt must be an even number of hexadecimal digits, of 1 to %d bytes",
			MAX_SIGN_KEY);
	}
	keys->count++;
	return true;
}

struct sign_keys *sign_keys_read(const char *path, struct error *err) {
	struct sign_keys *keys = xcalloc(1, sizeof *keys);
	bool read = line_file_read(path, take_line, keys, err);
	if (read && keys->count == 0) {
		read = error_set(err, ERROR_INVALID_VALUE, "%s has no line KEY SALT", path);
	}
	if (!read) {
		sign_keys_destroy(keys);
		return NULL;
	}
	line_file_warn_exposed(path);
	return keys;
}

void sign_keys_destroy(struct sign_keys *keys) {
	free(keys);
}

void signature_write(const struct sign_key *key, const char *path, size_t bytes,
	char text[static SIGNATURE_TEXT_BYTES]) {
	struct hmac_sha256_ctx context;
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct base64_encode_ctx encoder;
	char padded[BASE64_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + BASE64_ENCODE_FINAL_LENGTH];
	hmac_sha256_set_key(&context, key->key_bytes, key->key);
	hmac_sha256_update(&context, key->salt_bytes, key->salt);
	hmac_sha256_update(&context, strlen(path), (const uint8_t *)path);
	hmac_sha256_digest(&context, bytes, digest);
	base64url_encode_init(&encoder);
	const size_t used = base64_encode_update(&encoder, padded, bytes, digest);
	base64_encode_final(&encoder, padded + used);
	const size_t length = (bytes * 8 + 5) / 6;
	memcpy(text, padded, length);
	text[length] = '\0';
}

bool signature_matches(const struct sign_keys *keys, size_t bytes, const char *text, size_t length,
	const char *path) {
	int equal = 0;
	// Compares texts, because several texts decode to the same bytes.
	for (size_t i = 0; i < keys->count; i++) {
		char right[SIGNATURE_TEXT_BYTES];
		signature_write(&keys->list[i], path, bytes, right);
		equal |= length == strlen(right) && memeql_sec(text, right, length);
	}
	return equal;
}
