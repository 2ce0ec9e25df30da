// Answers in memory, by their ETag.
#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cache/cached.h"
#include "cache/etag.h"

/* One response's part of the budget at most. */
#define SHARE_OF_BUDGET 8

/* Budget per entry that there can be, and bucket: about the smallest responses that there are. All
 * are made at the start, since growing later would hold the lock long; what is not used of them is
 * never touched, and costs nothing but addresses. */
#define BYTES_PER_ENTRY 512
#define LEAST_ENTRIES 64

/* All lie side by side: a use touches its neighbours by age, and in memory of their own, between
 * bodies, each would be on another page (which took twice as long). */
struct entry {
	struct cache_key key;
	struct cached *response;
	size_t bytes;                // of memory, this struct with it
	struct entry *next;          // in its bucket, or among those not in use
	struct entry *older, *newer; // by last use
};

/* Answers taken out under the lock, which are freed behind it. */
#define REMOVED_MOST 32

struct removed {
	struct cached *answers[REMOVED_MOST];
	size_t count;
};

struct cache {
	struct cache_options options;
	pthread_mutex_t mutex;  // guards what follows
	size_t most;            // entries, a power of two
	struct entry *entries;  // [most]
	size_t begun;           // of them were ever in use
	struct entry *unused;   // those that were and are not
	struct entry **buckets; // [most]
	struct entry *oldest, *newest;
	struct cache_stats stats;
};

struct cache *cache_create(const struct cache_options *options) {
	struct cache *cache = xcalloc(1, sizeof *cache);
	cache->options = *options;
	cache->most = LEAST_ENTRIES;
	while (cache->most < options->budget_bytes / BYTES_PER_ENTRY) {
		cache->most *= 2;
	}
	cache->entries = xcalloc(cache->most, sizeof *cache->entries);
	cache->buckets = xcalloc(cache->most, sizeof(struct entry *));
	pthread_mutex_init(&cache->mutex, NULL);
	return cache;
}

void cache_destroy(struct cache *cache) {
	if (!cache) {
		return;
	}
	for (struct entry *entry = cache->oldest; entry; entry = entry->newer) {
		cached_release(entry->response);
	}
	pthread_mutex_destroy(&cache->mutex);
	free(cache->buckets);
	free(cache->entries);
	free(cache);
}

/* The key is a hash already. */
static struct entry **bucket_of(const struct cache *cache, const struct cache_key *key) {
	return &cache->buckets[key->words[0] & (cache->most - 1)];
}

static struct entry *find(const struct cache *cache, const struct cache_key *key) {
	struct entry *entry = *bucket_of(cache, key);
	while (entry && !cache_key_equal(&entry->key, key)) {
		entry = entry->next;
	}
	return entry;
}

static void unlink_use(struct cache *cache, struct entry *entry) {
	*(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
	*(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
}

static void link_newest(struct cache *cache, struct entry *entry) {
	entry->older = cache->newest;
	entry->newer = NULL;
	*(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
	cache->newest = entry;
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
		unlink_use(cache, entry);
		link_newest(cache, entry);
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
	struct entry *oldest = cache->oldest;
	struct entry **link = bucket_of(cache, &oldest->key);
	while (*link != oldest) {
		link = &(*link)->next;
	}
	*link = oldest->next;
	unlink_use(cache, oldest);
	oldest->next = cache->unused;
	cache->unused = oldest;
	cache->stats.entries--;
	cache->stats.bytes -= oldest->bytes;
	cache->stats.evictions++;
	return oldest->response;
}

static bool has_room(const struct cache *cache, size_t bytes) {
	return cache->stats.bytes + bytes <= cache->options.budget_bytes &&
		cache->stats.entries < cache->most;
}

static struct entry *take_unused(struct cache *cache) {
	struct entry *entry = cache->unused;
	if (!entry) {
		return &cache->entries[cache->begun++];
	}
	cache->unused = entry->next;
	return entry;
}

static void insert(
	struct cache *cache, const struct cache_key *key, struct cached *response, size_t bytes) {
	struct entry *entry = take_unused(cache);
	struct entry **bucket = bucket_of(cache, key);
	*entry = (struct entry){.key = *key, .response = cached_retain(response), .bytes = bytes};
	entry->next = *bucket;
	*bucket = entry;
	link_newest(cache, entry);
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
	while (!has_room(cache, bytes) && out->count < REMOVED_MOST) {
		out->answers[out->count++] = take_oldest(cache);
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
			cached_release(out.answers[i]);
		}
	}
}

void cache_stats(struct cache *cache, struct cache_stats *out) {
	pthread_mutex_lock(&cache->mutex);
	*out = cache->stats;
	pthread_mutex_unlock(&cache->mutex);
}
