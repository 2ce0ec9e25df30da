// Decoded pieces of compressed clips.
#include "model/segment_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Parts with a lock and a share of the budget each, so that threads rarely meet. */
#define PARTS 8

#define CHAINS 256 // of a part

struct part {
	pthread_mutex_t mutex; // guards the members below
	TAILQ_HEAD(segment_uses, segment_entry) uses;
	LIST_HEAD(segment_chain, segment_entry) chains[CHAINS];
	size_t bytes, count, budget;
	uint64_t hits, misses;
};

struct segment_cache {
	struct part parts[PARTS];
};

struct segment_cache *segment_cache_create(size_t budget_bytes) {
	struct segment_cache *cache = xcalloc(1, sizeof *cache);
	for (int i = 0; i < PARTS; i++) {
		struct part *part = &cache->parts[i];
		pthread_mutex_init(&part->mutex, NULL);
		TAILQ_INIT(&part->uses);
		part->budget = budget_bytes / PARTS;
	}
	return cache;
}

static void leave(struct part *part, struct segment_entry *entry) {
	TAILQ_REMOVE(&part->uses, entry, use);
	LIST_REMOVE(entry, chain);
	part->bytes -= entry->bytes;
	part->count--;
	segment_entry_release(entry);
}

void segment_cache_destroy(struct segment_cache *cache) {
	for (int i = 0; cache && i < PARTS; i++) {
		struct part *part = &cache->parts[i];
		while (!TAILQ_EMPTY(&part->uses)) {
			leave(part, TAILQ_FIRST(&part->uses));
		}
		pthread_mutex_destroy(&part->mutex);
	}
	free(cache);
}

static uint64_t hash_of(const struct segment_key *key) {
	uint64_t hash;
	memcpy(&hash, key->content, sizeof hash);
	hash += (key->rig << 32) + (uint64_t)(unsigned)key->segment;
	return hash * 0x9e3779b97f4a7c15 >> 32; // Knuth's multiplicative hash
}

static bool same_key(const struct segment_key *a, const struct segment_key *b) {
	return a->segment == b->segment && a->rig == b->rig &&
		memcmp(a->content, b->content, sizeof a->content) == 0;
}

/* Under the part's lock. */
static struct segment_entry *find(struct part *part, const struct segment_key *key, uint64_t hash) {
	struct segment_entry *entry;
	LIST_FOREACH(entry, &part->chains[hash / PARTS % CHAINS], chain) {
		if (same_key(&entry->key, key)) {
			break;
		}
	}
	if (entry) {
		__atomic_add_fetch(&entry->references, 1, __ATOMIC_RELAXED);
		if (TAILQ_NEXT(entry, use)) {
			TAILQ_REMOVE(&part->uses, entry, use);
			TAILQ_INSERT_TAIL(&part->uses, entry, use);
		}
	}
	return entry;
}

struct segment_entry *segment_cache_find(
	struct segment_cache *cache, const struct segment_key *key) {
	const uint64_t hash = hash_of(key);
	struct part *part = &cache->parts[hash % PARTS];
	pthread_mutex_lock(&part->mutex);
	struct segment_entry *entry = find(part, key, hash);
	part->hits += entry != NULL;
	part->misses += entry == NULL;
	pthread_mutex_unlock(&part->mutex);
	return entry;
}

/* A piece that is larger than the part's whole budget stays until the next one comes. */
static void make_room(struct part *part, const struct segment_entry *newest) {
	while (part->bytes > part->budget && TAILQ_FIRST(&part->uses) != newest) {
		leave(part, TAILQ_FIRST(&part->uses));
	}
}

struct segment_entry *segment_cache_add(
	struct segment_cache *cache, struct segment_entry *take_entry) {
	const uint64_t hash = hash_of(&take_entry->key);
	struct part *part = &cache->parts[hash % PARTS];
	pthread_mutex_lock(&part->mutex);
	struct segment_entry *entry = find(part, &take_entry->key, hash);
	if (!entry) {
		entry = take_entry;
		entry->references++; // the part's, before others see it
		TAILQ_INSERT_TAIL(&part->uses, entry, use);
		LIST_INSERT_HEAD(&part->chains[hash / PARTS % CHAINS], entry, chain);
		part->bytes += entry->bytes;
		part->count++;
		make_room(part, entry);
	}
	pthread_mutex_unlock(&part->mutex);
	if (entry != take_entry) {
		segment_entry_release(take_entry);
	}
	return entry;
}

void segment_entry_release(struct segment_entry *entry) {
	if (__atomic_sub_fetch(&entry->references, 1, __ATOMIC_ACQ_REL) == 0) {
		free(entry);
	}
}

void segment_cache_read_stats(struct segment_cache *cache, struct segment_cache_stats *stats) {
	*stats = (struct segment_cache_stats){0};
	for (int i = 0; i < PARTS; i++) {
		struct part *part = &cache->parts[i];
		pthread_mutex_lock(&part->mutex);
		stats->bytes += part->bytes;
		stats->count += part->count;
		stats->hits += part->hits;
		stats->misses += part->misses;
		pthread_mutex_unlock(&part->mutex);
	}
}
