// SHA-256 in hexadecimal.
#include "hash.h"

#include <errno.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <string.h>

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

bool hash_file(const char *path, char text[static HASH_TEXT_BYTES], struct error *err) {
	FILE *file = fopen(path, "rb");
	if (!file) {
		return error_set(err, ERROR_INTERNAL, "%s: %s", path, strerror(errno));
	}
	struct sha256_ctx context;
	sha256_init(&context);
	uint8_t block[65536];
	size_t count;
	while ((count = fread(block, 1, sizeof block, file)) > 0) {
		sha256_update(&context, count, block);
	}
	const bool read = !ferror(file);
	fclose(file);
	finish(&context, text);
	return read || error_set(err, ERROR_INTERNAL, "%s: cannot be read", path);
}
