// SHA-256 in hexadecimal.
#include "store/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void finish(struct sha256_ctx *context, char text[static HASH_TEXT_BYTES]) {
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_digest(context, sizeof digest, digest);
	base16_encode_update(text, sizeof digest, digest);
	text[HASH_TEXT_BYTES - 1] = '\0';
}

void hash_bytes(const void *bytes, size_t size, char text[static HASH_TEXT_BYTES]) {
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, size, bytes);
	finish(&context, text);
}

void hash_binary(const char *text, uint8_t out[static HASH_BYTES]) {
	for (size_t i = 0; i < HASH_BYTES; i++) {
		const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
}

void hash_parts(const struct hash_part *parts, size_t count, char text[static HASH_TEXT_BYTES]) {
	struct sha256_ctx context;
	sha256_init(&context);
	for (size_t i = 0; i < count; i++) {
		const uint64_t size = parts[i].size;
		sha256_update(&context, sizeof size, (const uint8_t *)&size);
		sha256_update(&context, parts[i].size, parts[i].bytes);
	}
	finish(&context, text);
}

bool hash_descriptor(int file, char text[static HASH_TEXT_BYTES], struct error *err) {
	struct sha256_ctx context;
	sha256_init(&context);
	uint8_t block[65536];
	off_t at = 0;
	ssize_t count;
	while ((count = pread(file, block, sizeof block, at)) != 0) {
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return error_set(
				err, ERROR_INTERNAL, "cannot be read: %s", strerror(errno));
		}
		sha256_update(&context, (size_t)count, block);
		at += count;
	}
	finish(&context, text);
	return true;
}

bool hash_file(const char *path, char text[static HASH_TEXT_BYTES], struct error *err) {
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	struct error why = {0};
	if (file < 0) {
		return error_set(err, ERROR_INTERNAL, "%s: %s", path, strerror(errno));
	}
	const bool hashed = hash_descriptor(file, text, &why);
	close(file);
	return hashed || error_set(err, why.code, "%s %s", path, why.text);
}
