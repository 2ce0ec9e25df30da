// Answers in memory, by their ETag.
#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "base/memory.h"
#include "cache/cached.h"
#include "cache/etag.h"

/* One response's part of the budget at most. */
#define SHARE_OF_BUDGET 8

/* Budget per entry that there can be, and bucket: about the smallest responses that there are. All
 * are made at the start, since growing later would hold the lock long; what is not used of them is
 * never touched, and costs nothing but addresses. */
#define BYTES_PER_ENTRY 512
#define MIN_ENTRIES 64

/* All lie side by side: a use touches its neighbours by age, and in memory of their own, between
 * bodies, each would be on another page (which took twice as long). */
struct entry {
	struct cache_key key;
	struct cached *response;
	size_t bytes;                // of memory, this struct with it
	LIST_ENTRY(entry) of_bucket; // or of those not in use
	TAILQ_ENTRY(entry) by_use;   // the least recently used first
};

LIST_HEAD(entries, entry);

/* Responses taken out under the lock, which are freed behind it. */
#define REMOVED_MAX 32

struct removed {
	struct cached *responses[REMOVED_MAX];
	size_t count;
};

struct cache {
	struct cache_options options;
	pthread_mutex_t mutex;   // guards what follows
	size_t max;              // entries, a power of two
	struct entry *entries;   // [max]
	size_t begun;            // of them were ever in use
	struct entries unused;   // those that were and are not
	struct entries *buckets; // [max]
	TAILQ_HEAD(, entry) by_use;
	struct cache_stats stats;
};

struct cache *cache_create(const struct cache_options *options) {
	struct cache *cache = xcalloc(1, sizeof *cache);
	cache->options = *options;
	cache->max = MIN_ENTRIES;
	while (cache->max < options->budget_bytes / BYTES_PER_ENTRY) {
		cache->max *= 2;
	}
	cache->entries = xcalloc(cache->max, sizeof *cache->entries);
	cache->buckets = xcalloc(cache->max, sizeof *cache->buckets);
	TAILQ_INIT(&cache->by_use);
	pthread_mutex_init(&cache->mutex, NULL);
	return cache;
}

void cache_destroy(struct cache *cache) {
	if (!cache) {
		return;
	}
	const struct entry *entry;
	TAILQ_FOREACH(entry, &cache->by_use, by_use) {
		cached_release(entry->response);
	}
	pthread_mutex_destroy(&cache->mutex);
	free(cache->buckets);
	free(cache->entries);
	free(cache);
}

/* The key is a hash already. */
static struct entries *bucket_of(const struct cache *cache, const struct cache_key *key) {
	return &cache->buckets[key->words[0] & (cache->max - 1)];
}

static struct entry *find(const struct cache *cache, const struct cache_key *key) {
	struct entry *entry;
	LIST_FOREACH(entry, bucket_of(cache, key), of_bucket) {
		if (cache_key_equal(&entry->key, key)) {
			return entry;
		}
	}
	return NULL;
}

struct cached *cache_get(struct cache *cache, const char *tag) {
	if (cache->options.budget_bytes == 0) {
		return NULL;
	}
	const struct cache_key key = cache_key_of(tag);
	struct cached *response = NULL;
	pthread_mutex_lock(&cache->mutex);
	struct entry *entry = find(cache, &key);
	if (entry) {
		TAILQ_REMOVE(&cache->by_use, entry, by_use);
		TAILQ_INSERT_TAIL(&cache->by_use, entry, by_use);
		response = cached_retain(entry->response);
		cache->stats.hits++;
	} else {
		cache->stats.misses++;
	}
	pthread_mutex_unlock(&cache->mutex);
	return response;
}

/* Takes out the response unused for longest; the reference is the caller's. */
static struct cached *take_oldest(struct cache *cache) {
	struct entry *oldest = TAILQ_FIRST(&cache->by_use);
	TAILQ_REMOVE(&cache->by_use, oldest, by_use);
	LIST_REMOVE(oldest, of_bucket);
	LIST_INSERT_HEAD(&cache->unused, oldest, of_bucket);
	cache->stats.entries--;
	cache->stats.bytes -= oldest->bytes;
	cache->stats.evictions++;
	return oldest->response;
}

static bool has_room(const struct cache *cache, size_t bytes) {
	return cache->stats.bytes + bytes <= cache->options.budget_bytes &&
		cache->stats.entries < cache->max;
}

static struct entry *take_unused(struct cache *cache) {
	struct entry *entry = LIST_FIRST(&cache->unused);
	if (!entry) {
		return &cache->entries[cache->begun++];
	}
	LIST_REMOVE(entry, of_bucket);
	return entry;
}

static void insert(
	struct cache *cache, const struct cache_key *key, struct cached *response, size_t bytes) {
	struct entry *entry = take_unused(cache);
	*entry = (struct entry){.key = *key, .response = cached_retain(response), .bytes = bytes};
	LIST_INSERT_HEAD(bucket_of(cache, key), entry, of_bucket);
	TAILQ_INSERT_TAIL(&cache->by_use, entry, by_use);
	cache->stats.entries++;
	cache->stats.bytes += bytes;
}

/* Puts the response in, unless it is there. False when more had to go than *out holds. */
static bool put(struct cache *cache, const struct cache_key *key, struct cached *response,
	struct removed *out) {
	const size_t bytes = cached_bytes(response) + sizeof(struct entry);
	if (bytes > cache->options.budget_bytes / SHARE_OF_BUDGET || find(cache, key)) {
		return true;
	}
	while (!has_room(cache, bytes) && out->count < REMOVED_MAX) {
		out->responses[out->count++] = take_oldest(cache);
	}
	if (!has_room(cache, bytes)) {
		return false;
	}
	insert(cache, key, response, bytes);
	return true;
}

void cache_put(struct cache *cache, const char *tag, struct cached *response) {
	const struct cache_key key = cache_key_of(tag);
	bool done = false;
	while (!done) {
		struct removed out = {.count = 0};
		pthread_mutex_lock(&cache->mutex);
		done = put(cache, &key, response, &out);
		pthread_mutex_unlock(&cache->mutex);
		for (size_t i = 0; i < out.count; i++) {
			cached_release(out.responses[i]);
		}
	}
}

void cache_stats(struct cache *cache, struct cache_stats *out) {
	pthread_mutex_lock(&cache->mutex);
	*out = cache->stats;
	pthread_mutex_unlock(&cache->mutex);
}
