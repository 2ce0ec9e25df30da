// Answers kept in memory: what is not kept, what goes first, what it costs, and many threads.
#include "cache/cache.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "cache/cached.h"
#include "cache/etag.h"
#include "http/request_context.h"

#include "answers.h"
#include "check.h"

static struct cache *make(size_t budget_bytes) {
	const struct cache_options options = {.budget_bytes = budget_bytes};
	return cache_create(&options);
}

static void put(struct cache *cache, unsigned number, size_t body_bytes) {
	char tag[TAG_BYTES];
	answer_tag(number, tag);
	struct cached *answer = answer_make(number, body_bytes);
	cache_put(cache, tag, answer);
	cached_release(answer);
}

static struct cached *get(struct cache *cache, unsigned number) {
	char tag[TAG_BYTES];
	answer_tag(number, tag);
	return cache_get(cache, tag);
}

/* True if the number's response is cached, and right. */
static bool has(struct cache *cache, unsigned number, size_t body_bytes) {
	struct cached *answer = get(cache, number);
	const bool found = answer;
	if (found) {
		assert_true(answer_is(answer, number, body_bytes));
	}
	cached_release(answer);
	return found;
}

static struct cache_stats stats(struct cache *cache) {
	struct cache_stats out;
	cache_stats(cache, &out);
	return out;
}

static void refuses_keys_that_are_no_tag_of_ours(void **state) {
	(void)state;
	static const char *const wrong[] = {"", "0123456789abcdef0123456789abcde",
		"0123456789abcdef0123456789abcdef0", "0123456789ABCDEF0123456789abcdef",
		"../../../../../../../../../etc/x", "0123456789abcdef 123456789abcdef"};
	struct cache_key key;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(cache_key_read(wrong[i], &key));
	}
	const char *const right = "0123456789abcdeffedcba9876543210";
	char back[CACHE_KEY_TEXT_BYTES];
	assert_true(cache_key_read(right, &key));
	cache_key_write(&key, back);
	assert_string_equal(back, right);
	const struct cache_key same = cache_key_of("\"0123456789abcdeffedcba9876543210\"");
	assert_true(cache_key_equal(&key, &same));
}

static void keeps_nothing_when_off(void **state) {
	(void)state;
	struct cache *cache = make(0);
	put(cache, 1, 10);
	assert_false(has(cache, 1, 10));
	const struct cache_stats off = {0}, seen = stats(cache);
	assert_memory_equal(&seen, &off, sizeof off);
	cache_destroy(cache);
	cache_destroy(NULL);
}

static void keeps_nothing_beyond_an_eighth_of_its_budget(void **state) {
	(void)state;
	struct cache *cache = make(80000);
	put(cache, 1, 10000);
	assert_false(has(cache, 1, 10000));
	assert_int_equal(stats(cache).bytes, 0);
	put(cache, 2, 9000);
	assert_true(has(cache, 2, 9000));
	cache_destroy(cache);
}

static void an_answer_owns_all_that_is_in_it(void **state) {
	(void)state;
	char type[] = "image/png", name[] = "ETag", value[] = "\"x\"";
	const struct header headers[] = {{name, value}};
	struct buffer body = {.data = malloc(100), .size = 100, .capacity = 100};
	memset(body.data, 7, 100);
	const unsigned char *const bytes = body.data;
	const struct cached_parts parts = {type, headers, 1, &body};
	struct cached *answer = cached_create(&parts);
	assert_null(body.data);
	memset(type, 'x', 3);
	memset(name, 'x', 3);
	memset(value, 'x', 3);
	assert_ptr_equal(answer->body, bytes); // taken, not copied
	assert_int_equal(answer->body_bytes, 100);
	assert_string_equal(answer->content_type, "image/png");
	assert_string_equal(answer->headers[0].name, "ETag");
	assert_string_equal(answer->headers[0].value, "\"x\"");
	assert_ptr_equal(cached_retain(answer), answer);
	cached_release(answer);
	assert_int_equal(answer->body[99], 7);
	cached_release(answer);
	cached_release(NULL);
}

static void an_answer_may_have_no_body_and_no_headers(void **state) {
	(void)state;
	struct buffer never = {0}, reserved = {0};
	buffer_reserve(&reserved, 1000);
	struct buffer *const bodies[] = {&never, &reserved};
	for (int i = 0; i < 2; i++) {
		const struct cached_parts parts = {"text/plain", NULL, 0, bodies[i]};
		struct cached *answer = cached_create(&parts);
		assert_int_equal(answer->body_bytes, 0);
		assert_true(cached_bytes(answer) >= sizeof *answer);
		assert_true(cached_bytes(answer) < sizeof *answer + 100);
		cached_release(answer);
	}
}

static void what_was_unused_for_longest_goes_first(void **state) {
	(void)state;
	struct cache *cache = make(100000);
	for (unsigned i = 0; i < 9; i++) {
		put(cache, i, 10000);
	}
	assert_true(has(cache, 0, 10000));
	put(cache, 9, 10000); // pushes out 1, since 0 was just used
	assert_false(has(cache, 1, 10000));
	assert_true(has(cache, 0, 10000));
	put(cache, 10, 10000);
	assert_false(has(cache, 2, 10000));
	for (unsigned i = 3; i <= 10; i++) {
		assert_true(has(cache, i, 10000));
	}
	assert_int_equal(stats(cache).entries, 9);
	assert_int_equal(stats(cache).evictions, 2);
	assert_int_equal(stats(cache).hits, 10);
	assert_int_equal(stats(cache).misses, 2);
	cache_destroy(cache);
}

/* The budget is for some number of entries, and answers may be smaller than was thought. */
static void the_smallest_answers_push_out_the_oldest_too(void **state) {
	(void)state;
	struct cache *cache = make(100000);
	for (unsigned i = 0; i < 1000; i++) {
		put(cache, i, 0);
	}
	const struct cache_stats end = stats(cache);
	assert_true(end.entries > 100 && end.bytes <= 100000);
	assert_int_equal(end.entries + end.evictions, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		assert_int_equal(has(cache, i, 0), i >= end.evictions);
	}
	cache_destroy(cache);
}

/* One that needs the room of very many others. */
static void a_large_answer_pushes_out_many_small_ones(void **state) {
	(void)state;
	struct cache *cache = make(1000000);
	for (unsigned i = 0; i < 1500; i++) {
		put(cache, i, 1000);
	}
	const uint64_t before = stats(cache).evictions;
	put(cache, 5000, 120000);
	assert_true(has(cache, 5000, 120000));
	assert_true(has(cache, 1499, 1000));
	assert_true(stats(cache).evictions > before + 64);
	assert_true(stats(cache).bytes <= 1000000);
	cache_destroy(cache);
}

static void what_is_held_outlives_its_place(void **state) {
	(void)state;
	struct cache *cache = make(100000);
	put(cache, 0, 5000);
	struct cached *held = get(cache, 0);
	for (unsigned i = 1; i < 100; i++) {
		put(cache, i, 5000);
	}
	assert_false(has(cache, 0, 5000));
	assert_true(has(cache, 99, 5000));
	cache_destroy(cache);
	assert_true(answer_is(held, 0, 5000));
	cached_release(held);
}

static void the_same_tag_is_kept_once(void **state) {
	(void)state;
	struct cache *cache = make(100000);
	put(cache, 0, 5000);
	const struct cache_stats once = stats(cache);
	struct cached *first = get(cache, 0);
	put(cache, 0, 5000);
	struct cached *second = get(cache, 0);
	assert_ptr_equal(first, second);
	assert_int_equal(stats(cache).bytes, once.bytes);
	assert_int_equal(stats(cache).entries, 1);
	cached_release(first);
	cached_release(second);
	cache_destroy(cache);
}

/* Held against the allocator's own count, which knows nothing of the cache. */
static void its_bytes_are_the_memory_that_it_takes(void **state) {
	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	print_message("SKIPPED: a sanitizer's allocator counts otherwise\n");
	skip();
#endif
	// Many small answers, where what lies around a body weighs; and few large ones.
	static const size_t max_bytes[] = {1200, 600000};
	const size_t budget = 8 << 20;
	for (size_t k = 0; k < sizeof max_bytes / sizeof *max_bytes; k++) {
		struct cache *cache = make(budget);
		const struct mallinfo2 before = mallinfo2();
		unsigned seed = 5, number = 0;
		while (stats(cache).evictions < 100) {
			seed = seed * 1664525u + 1013904223u;
			put(cache, number++, (seed >> 8) % max_bytes[k]);
			assert_true(stats(cache).bytes <= budget);
		}
		const struct mallinfo2 after = mallinfo2();
		const double taken = (double)(after.uordblks + after.hblkhd) -
			(double)(before.uordblks + before.hblkhd);
		assert_true(stats(cache).bytes > budget / 8 * 7);
		// The cache's own part, 56 bytes for an answer, is allotted at the start and grows
		// only as it is touched. A hundredth for what the allocator keeps at hand.
		const double own = 56 * (double)stats(cache).entries;
		assert_near(taken + own, (double)stats(cache).bytes, 0.01 * (double)budget);
		cache_destroy(cache);
	}
}

#define THREADS 4
#define ROUNDS 20000
#define NUMBERS 200

static size_t size_of(unsigned number) {
	return number * 37 % 3000;
}

static void *use(void *argument) {
	struct cache *cache = argument;
	unsigned seed = (unsigned)pthread_self();
	for (int i = 0; i < ROUNDS; i++) {
		seed = seed * 1664525u + 1013904223u;
		const unsigned number = (seed >> 16) % NUMBERS;
		if (!has(cache, number, size_of(number))) {
			put(cache, number, size_of(number));
		}
	}
	return NULL;
}

static void threads_get_only_what_was_put(void **state) {
	(void)state;
	struct cache *cache = make(150000); // about half of it all
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_create(&threads[i], NULL, use, cache), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	const struct cache_stats end = stats(cache);
	assert_int_equal(end.hits + end.misses, THREADS * ROUNDS);
	assert_true(end.hits > 0 && end.evictions > 0 && end.bytes <= 150000);
	cache_destroy(cache);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_keys_that_are_no_tag_of_ours),
		cmocka_unit_test(keeps_nothing_when_off),
		cmocka_unit_test(keeps_nothing_beyond_an_eighth_of_its_budget),
		cmocka_unit_test(an_answer_owns_all_that_is_in_it),
		cmocka_unit_test(an_answer_may_have_no_body_and_no_headers),
		cmocka_unit_test(what_was_unused_for_longest_goes_first),
		cmocka_unit_test(the_smallest_answers_push_out_the_oldest_too),
		cmocka_unit_test(a_large_answer_pushes_out_many_small_ones),
		cmocka_unit_test(what_is_held_outlives_its_place),
		cmocka_unit_test(the_same_tag_is_kept_once),
		cmocka_unit_test(its_bytes_are_the_memory_that_it_takes),
		cmocka_unit_test(threads_get_only_what_was_put),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
