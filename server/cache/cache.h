/* Answers in memory, by their ETag; beyond its budget the ones unused for longest go.
 *
 * What is under a tag is the response to everything that has this tag, of this build only: see
 * cache_key.h. Any thread; the lock is held for moments, in which nothing is freed, read or
 * written. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cache;
struct cached;

struct cache_options {
	// Of memory, with all that caching a response costs but for 1.6 % at most; 0 = off. However
	// small they are, there are no more responses than about one for each 512 bytes.
	size_t budget_bytes;
};

struct cache_stats {
	uint64_t hits, misses, evictions; // so far; a cache that is off counts nothing
	size_t entries, bytes;            // now
};

struct cache *cache_create(const struct cache_options *options);
void cache_destroy(struct cache *cache); // takes NULL

/* A reference to the response under the tag (release it), NULL when there is none. */
struct cached *cache_get(struct cache *cache, const char *tag);

/* Caches the response with a reference of its own. One that is larger than an eighth of the budget
 * is not cached: it would evict all others. A tag that is already cached stays as it is. */
void cache_put(struct cache *cache, const char *tag, struct cached *response);

void cache_stats(struct cache *cache, struct cache_stats *out);
