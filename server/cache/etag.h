/* Strong entity tags: a function of everything that a response depends on, and the keys that caches
 * make of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/hash.h"

/* A quoted tag over the parts, in the arena. */
char *etag_make(struct arena *arena, const struct hash_part *parts, size_t count);

/* True when an If-None-Match header (NULL = none) names the tag: a list of tags, compared weakly as
 * RFC 9110, 13.1.2 wants, or "*". */
bool etag_matches(const char *if_none_match, const char *etag);

/* True when an If-Match header names the tag, compared strongly: W/"..." never does; or "*". */
bool etag_matches_strongly(const char *if_match, const char *etag);

/* True when a header (NULL = none) has "*". */
bool etag_is_any(const char *list);

/* The key of a cached response: the 128 bits of its tag.
 *
 * The build of the program is part of the tag (context_is_known()): other builds, which may respond
 * otherwise, have other keys, so that a cache that outlives the program, or is shared between
 * programs, cannot mix them up. */
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
