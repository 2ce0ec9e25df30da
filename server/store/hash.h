/* SHA-256 in hexadecimal: names of contents, ETags, the build. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define HASH_TEXT_BYTES 65 // with its NUL

void hash_bytes(const void *bytes, size_t size, char text[static HASH_TEXT_BYTES]);

#define HASH_BYTES 32

/* A hash without its hexadecimal digits. */
void hash_binary(const char *text, uint8_t out[static HASH_BYTES]);

/* One part of what is hashed together. */
struct hash_part {
	const void *bytes;
	size_t size;
};

/* Each part goes in with its length, so that no two lists of parts are the same bytes. */
void hash_parts(const struct hash_part *parts, size_t count, char text[static HASH_TEXT_BYTES]);

/* All of an open file from its start, wherever it was read to. False with ERROR_INTERNAL when it
 * cannot be read. */
bool hash_descriptor(int file, char text[static HASH_TEXT_BYTES], struct error *err);

/* The same of a file with a name. */
bool hash_file(const char *path, char text[static HASH_TEXT_BYTES], struct error *err);
