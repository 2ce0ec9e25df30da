/* Decoded pieces of compressed clips, kept within a number of bytes; those used longest ago make
 * room. Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct segment_cache;

struct segment_key {
	unsigned char content[32]; // SHA-256 of the clip
	uint64_t rig;              // rig->id of the rig whose joints it drives
	int segment;
};

/* The head of a kept piece, which is malloc memory of so many bytes. */
struct segment_entry {
	struct segment_key key;
	size_t bytes;
	int references;
	TAILQ_ENTRY(segment_entry) use;  // from the least to the most recently used
	LIST_ENTRY(segment_entry) chain; // of the same hash
};

struct segment_cache *segment_cache_create(size_t budget_bytes);
void segment_cache_destroy(struct segment_cache *cache); // takes NULL

/* A reference to a kept piece; NULL = there is none. */
struct segment_entry *segment_cache_find(
	struct segment_cache *cache, const struct segment_key *key);

/* Keeps a piece with one reference, the caller's, which is exchanged for one to the piece of the
 * same key if another thread was faster. */
struct segment_entry *segment_cache_add(
	struct segment_cache *cache, struct segment_entry *take_entry);

/* The last reference frees the piece. */
void segment_entry_release(struct segment_entry *entry);

struct segment_cache_stats {
	size_t bytes, count;
	uint64_t hits, misses;
};

void segment_cache_read_stats(struct segment_cache *cache, struct segment_cache_stats *stats);
