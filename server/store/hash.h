/* SHA-256 in hexadecimal: of contents, ETags, the build. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define HASH_TEXT_BYTES 65 // with its NUL

void hash_bytes(const void *bytes, size_t size, char text[static HASH_TEXT_BYTES]);

#define HASH_BYTES 32

/* Converts a hash to bytes. */
void hash_binary(const char *text, uint8_t out[static HASH_BYTES]);

struct hash_part {
	const void *bytes;
	size_t size;
};

/* Hashes each part with its length, so that different lists of parts have different hashes. */
void hash_parts(const struct hash_part *parts, size_t count, char text[static HASH_TEXT_BYTES]);

/* Hashes an open file from its start, whatever its offset. False with ERROR_INTERNAL when it cannot
 * be read. */
bool hash_descriptor(int file, char text[static HASH_TEXT_BYTES], struct error *err);

/* Hashes the running program by the build ID that its linker computed, without which the hash is of
 * the whole file. False with ERROR_INTERNAL. */
bool hash_program(char text[static HASH_TEXT_BYTES], struct error *err);

/* Hashes a file by its path. */
bool hash_file(const char *path, char text[static HASH_TEXT_BYTES], struct error *err);
