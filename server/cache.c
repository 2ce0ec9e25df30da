// Answers in memory, by their ETag.
#include "cache.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cache_key.h"
#include "cached.h"

/* One answer's part of the budget at most. */
#define SHARE_OF_BUDGET 8

/* Budget per bucket: about the smallest answers that there are, so that buckets hold one each. They
 * are all made at the start (0.4 % of the budget), since growing later would hold the lock long. */
#define BUCKET_BYTES 2048
#define LEAST_BUCKETS 16

struct entry {
	struct cache_key key;
	struct cached *answer;
	size_t bytes;                // of memory, this struct with it
	struct entry *next;          // in its bucket; among those that were taken out
	struct entry *older, *newer; // by last use
};

struct cache {
	struct cache_options options;
	pthread_mutex_t mutex;  // guards what follows
	struct entry **buckets; // [bucket_count], a power of two
	size_t bucket_count;
	struct entry *oldest, *newest;
	struct cache_stats stats;
};

struct cache *cache_create(const struct cache_options *options) {
	struct cache *cache = xcalloc(1, sizeof *cache);
	cache->options = *options;
	cache->bucket_count = LEAST_BUCKETS;
	while (cache->bucket_count < options->budget_bytes / BUCKET_BYTES) {
		cache->bucket_count *= 2;
	}
	cache->buckets = xcalloc(cache->bucket_count, sizeof(struct entry *));
	pthread_mutex_init(&cache->mutex, NULL);
	return cache;
}

static void free_entries(struct entry *list) {
	while (list) {
		struct entry *next = list->next;
		cached_release(list->answer);
		free(list);
		list = next;
	}
}

void cache_destroy(struct cache *cache) {
	if (!cache) {
		return;
	}
	for (size_t i = 0; i < cache->bucket_count; i++) {
		free_entries(cache->buckets[i]);
	}
	pthread_mutex_destroy(&cache->mutex);
	free(cache->buckets);
	free(cache);
}

/* The key is a hash already. */
static struct entry **bucket_of(const struct cache *cache, const struct cache_key *key) {
	return &cache->buckets[key->words[0] & (cache->bucket_count - 1)];
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
	struct cached *answer = NULL;
	pthread_mutex_lock(&cache->mutex);
	struct entry *entry = find(cache, &key);
	if (entry) {
		unlink_use(cache, entry);
		link_newest(cache, entry);
		answer = cached_retain(entry->answer);
		cache->stats.hits++;
	} else {
		cache->stats.misses++;
	}
	pthread_mutex_unlock(&cache->mutex);
	return answer;
}

static void insert(struct cache *cache, struct entry *entry) {
	struct entry **bucket = bucket_of(cache, &entry->key);
	entry->next = *bucket;
	*bucket = entry;
	link_newest(cache, entry);
	cache->stats.entries++;
	cache->stats.bytes += entry->bytes;
}

/* Takes out the entry unused for longest, in front of a list. */
static struct entry *take_oldest(struct cache *cache, struct entry *list) {
	struct entry *oldest = cache->oldest;
	struct entry **link = bucket_of(cache, &oldest->key);
	while (*link != oldest) {
		link = &(*link)->next;
	}
	*link = oldest->next;
	unlink_use(cache, oldest);
	cache->stats.entries--;
	cache->stats.bytes -= oldest->bytes;
	cache->stats.evictions++;
	oldest->next = list;
	return oldest;
}

static struct entry *make_entry(const char *tag, struct cached *answer) {
	struct entry *entry = xcalloc(1, sizeof *entry);
	entry->key = cache_key_of(tag);
	entry->answer = cached_retain(answer);
	entry->bytes = cached_bytes(answer) + malloc_usable_size(entry) + sizeof(size_t);
	return entry;
}

void cache_put(struct cache *cache, const char *tag, struct cached *answer) {
	const size_t budget = cache->options.budget_bytes;
	struct entry *entry = make_entry(tag, answer);
	struct entry *out = NULL; // freed behind the lock
	pthread_mutex_lock(&cache->mutex);
	if (entry->bytes > budget / SHARE_OF_BUDGET || find(cache, &entry->key)) {
		out = entry;
	} else {
		while (cache->stats.bytes + entry->bytes > budget) {
			out = take_oldest(cache, out);
		}
		insert(cache, entry);
	}
	pthread_mutex_unlock(&cache->mutex);
	free_entries(out);
}

void cache_stats(struct cache *cache, struct cache_stats *out) {
	pthread_mutex_lock(&cache->mutex);
	*out = cache->stats;
	pthread_mutex_unlock(&cache->mutex);
}
