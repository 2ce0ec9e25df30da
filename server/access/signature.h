/* Signatures of links, in imgproxy's scheme:
 *
 *   base64url, without padding, of the first n bytes of HMAC-SHA256(key, salt + path)
 *
 * where path is the part of the URL after the signature, with its slash, as the client sends it.
 * Source: imgproxy's documentation, "Signing a URL". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes of a signature, before base64. */
#define MIN_SIGNATURE 8
#define MAX_SIGNATURE 32

/* Size of its text with the NUL. */
#define SIGNATURE_TEXT_BYTES 44

/* Minimum bytes of a key, and maximum bytes of a key or salt. */
#define MIN_SIGN_KEY 16
#define MAX_SIGN_KEY 256

/* Maximum pairs of a file: several allow replacing keys without a break. */
#define MAX_SIGN_KEYS 32

struct sign_key {
	uint8_t key[MAX_SIGN_KEY], salt[MAX_SIGN_KEY];
	size_t key_bytes, salt_bytes;
};

struct sign_keys {
	struct sign_key list[MAX_SIGN_KEYS];
	size_t count; // at least 1
};

/* Reads a file of lines "KEY SALT", both in hexadecimal. NULL with ERROR_INVALID_VALUE, which names
 * the line. */
struct sign_keys *sign_keys_read(const char *path, struct error *err);
void sign_keys_destroy(struct sign_keys *keys); // takes NULL

/* Writes the signature of a path, from bytes in [MIN_SIGNATURE, MAX_SIGNATURE]. */
void signature_write(const struct sign_key *key, const char *path, size_t bytes,
	char text[static SIGNATURE_TEXT_BYTES]);

/* True if a text of length bytes equals the output of signature_write() with one of the keys. Takes
 * constant time. */
bool signature_matches(const struct sign_keys *keys, size_t bytes, const char *text, size_t length,
	const char *path);
