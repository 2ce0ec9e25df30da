/* What answers are cached by: the 128 bits of an ETag that we made (etag.h).
 *
 * The tag is a hash over everything that an answer depends on, and the build of the program is part
 * of that (call_is_known in request.c): other builds, which may answer otherwise, have other keys,
 * so that a cache that outlives the program, or is shared between programs, cannot mix them up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cache_key {
	uint64_t words[2];
};

#define CACHE_KEY_TEXT_BYTES 33 // with its NUL

/* The key of a tag: 32 hexadecimal digits in quotes. Tags come from etag_make() and never from a
 * client, which is asserted. */
struct cache_key cache_key_of(const char *tag);

/* Writes the digits, and reads them; false when the text is anything else. */
void cache_key_write(const struct cache_key *key, char text[static CACHE_KEY_TEXT_BYTES]);
bool cache_key_read(const char *text, struct cache_key *key);

static inline bool cache_key_equal(const struct cache_key *a, const struct cache_key *b) {
	return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}
