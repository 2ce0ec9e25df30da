// Nanoseconds of what every request does in the loop's thread: look for its answer, count, ask for
// a place in the queue; and the same of an answer on disk.
//
// Processor time of the calling thread: the work, not what waiting for a lock or the disk adds.
// Each figure is the median of several rounds, alone and while a second thread does the same; all
// of one round follow one another, so that a slow moment of the machine falls on all of them. The
// files lie where TMPDIR says, and are in the system's cache when they are read.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/answers.h"
#include "base/clock.h"
#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "cache/cached.h"
#include "metrics/metrics.h"
#include "work/client_share.h"

#define ANSWERS 10000
#define ANSWER_BYTES 15000 // a picture of 256 x 256
#define DISK_ANSWERS 2000
#define DISK_ANSWER_BYTES 70000 // a picture of 512 x 512
#define ROUNDS 21
#define CALLS 100000

struct bench {
	char (*tags)[TAG_BYTES]; // [2 * ANSWERS], the first half of them are in the cache
	struct cache *cache;
	struct cached *answer, *large_answer;
	struct metrics *metrics;
	struct client_share *share;
	struct cache_disk *disk;
	unsigned put; // answers put on disk so far
};

static void get_hit(struct bench *bench, unsigned i) {
	cached_release(cache_get(bench->cache, bench->tags[i * 7919 % ANSWERS]));
}

static void get_miss(struct bench *bench, unsigned i) {
	cached_release(cache_get(bench->cache, bench->tags[ANSWERS + i * 7919 % ANSWERS]));
}

static void put_again(struct bench *bench, unsigned i) {
	cache_put(bench->cache, bench->tags[i * 7919 % ANSWERS], bench->answer);
}

static void count_request(struct bench *bench, unsigned i) {
	metrics_count_request(bench->metrics, i & 1);
}

static void count_answer(struct bench *bench, unsigned i) {
	metrics_count_answer(bench->metrics, 200, 1e-6 * (i & 4095));
}

static void measure_span(struct bench *bench, unsigned i) {
	metrics_measure_span(bench->metrics, METRICS_DRAW, 1e-6 * (i & 4095));
}

static void enter_and_leave(struct bench *bench, unsigned i) {
	enum refusal why;
	if (client_share_enter(bench->share, i * 7919 % 5000, 1e-5 * i, &why)) {
		client_share_leave(bench->share, i * 7919 % 5000);
	}
}

static void get_from_disk(struct bench *bench, unsigned i) {
	cached_release(cache_disk_get(bench->disk, bench->tags[i % DISK_ANSWERS]));
}

static void put_to_disk(struct bench *bench, unsigned i) {
	(void)i;
	char tag[TAG_BYTES];
	answer_tag(1000000 + bench->put++, tag);
	cache_disk_put(bench->disk, tag, bench->large_answer);
}

struct row {
	const char *name;
	void (*run)(struct bench *bench, unsigned i);
	unsigned calls;
	bool one_thread;                      // by its contract, or because two would not say more
	double alone[ROUNDS], beside[ROUNDS]; // nanoseconds a call
};

static struct row rows[] = {
	{.name = "cache_get, there", .run = get_hit, .calls = CALLS},
	{.name = "cache_get, not there", .run = get_miss, .calls = CALLS},
	{.name = "cache_put, there already", .run = put_again, .calls = CALLS},
	{.name = "metrics_count_request", .run = count_request, .calls = CALLS},
	{.name = "metrics_count_answer", .run = count_answer, .calls = CALLS},
	{.name = "metrics_measure_span", .run = measure_span, .calls = CALLS},
	{.name = "client_share_enter, _leave",
		.run = enter_and_leave,
		.calls = CALLS,
		.one_thread = true},
	{.name = "cache_disk_get, 70 KB",
		.run = get_from_disk,
		.calls = DISK_ANSWERS,
		.one_thread = true},
	{.name = "cache_disk_put, 70 KB", .run = put_to_disk, .calls = 200, .one_thread = true},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static double thread_now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double measure(struct bench *bench, const struct row *row) {
	const double start = thread_now_s();
	for (unsigned i = 0; i < row->calls; i++) {
		row->run(bench, i);
	}
	return (thread_now_s() - start) / row->calls * 1e9;
}

/* Another thread that does the same until told to stop. */
struct other {
	struct bench *bench;
	const struct row *row;
	atomic_bool running, stop;
};

static void *disturb(void *argument) {
	struct other *other = argument;
	for (unsigned i = 0; !other->stop; i++) {
		other->row->run(other->bench, i);
		other->running = true;
	}
	return NULL;
}

static double measure_beside(struct bench *bench, const struct row *row) {
	struct other other = {.bench = bench, .row = row};
	pthread_t thread;
	if (pthread_create(&thread, NULL, disturb, &other) != 0) {
		abort();
	}
	while (!other.running) {
		usleep(100);
	}
	const double result = measure(bench, row);
	other.stop = true;
	pthread_join(thread, NULL);
	return result;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static double median(double *values) {
	qsort(values, ROUNDS, sizeof *values, ascending);
	return values[ROUNDS / 2];
}

static struct cache_disk *open_disk(const char *path) {
	const struct cache_disk_options options = {path, (uint64_t)8 << 30};
	struct error err = {0};
	struct cache_disk *disk = cache_disk_open(&options, &err);
	if (!disk) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return disk;
}

static void start(struct bench *bench, const char *path) {
	static const struct metrics_route routes[] = {{"GET", "/a"}, {"GET", "/b"}};
	const struct metrics_options options = {
		.routes = routes, .route_count = 2, .version = "", .build = ""};
	const struct cache_options cache_options = {.budget_bytes = (size_t)1 << 30};
	const struct client_share_options share_options = {.burst = 64, .standing = 16};
	bench->tags = calloc(2 * ANSWERS, sizeof *bench->tags);
	bench->cache = cache_create(&cache_options);
	bench->answer = answer_make(0, ANSWER_BYTES);
	bench->large_answer = answer_make(0, DISK_ANSWER_BYTES);
	bench->metrics = metrics_create(&options);
	bench->share = client_share_create(&share_options);
	bench->disk = open_disk(path);
	for (unsigned i = 0; i < 2 * ANSWERS; i++) {
		answer_tag(i, bench->tags[i]);
	}
	for (unsigned i = 0; i < ANSWERS; i++) {
		struct cached *answer = answer_make(i, ANSWER_BYTES);
		cache_put(bench->cache, bench->tags[i], answer);
		cached_release(answer);
	}
	for (unsigned i = 0; i < DISK_ANSWERS; i++) {
		cache_disk_put(bench->disk, bench->tags[i], bench->large_answer);
	}
}

static void finish(struct bench *bench) {
	cache_disk_close(bench->disk);
	client_share_destroy(bench->share);
	metrics_destroy(bench->metrics);
	cached_release(bench->answer);
	cached_release(bench->large_answer);
	cache_destroy(bench->cache);
	free(bench->tags);
}

static void print_rows(void) {
	printf("%-28s %12s %26s\n", "nanoseconds a call", "alone", "beside a second thread");
	for (size_t i = 0; i < ROW_COUNT; i++) {
		printf("%-28s %12.0f", rows[i].name, median(rows[i].alone));
		if (!rows[i].one_thread) {
			printf(" %26.0f", median(rows[i].beside));
		}
		printf("\n");
	}
}

/* The delay of the start by a directory with many responses, and the duration of the scan
 * that follows. */
static void measure_start(const char *path) {
	struct cache_disk *disk = open_disk(path);
	struct cached *answer = answer_make(0, 1000);
	char tag[TAG_BYTES];
	for (unsigned i = 0; i < 100000; i++) {
		answer_tag(2000000 + i, tag);
		cache_disk_put(disk, tag, answer);
	}
	cached_release(answer);
	cache_disk_close(disk);
	const double start = clock_now_s();
	disk = open_disk(path);
	const double opened = clock_now_s();
	struct cache_disk_stats stats = {0};
	while (stats.sweeps == 0) {
		usleep(500);
		cache_disk_stats(disk, &stats);
	}
	printf("a directory of %llu answers: opened in %.3f ms, looked through in %.0f ms\n",
		(unsigned long long)stats.entries, (opened - start) * 1e3,
		(clock_now_s() - opened) * 1e3);
	cache_disk_close(disk);
}

int main(void) {
	const char *folder = getenv("TMPDIR");
	char path[4096], command[sizeof path + 16];
	snprintf(path, sizeof path, "%s/posed-bench-XXXXXX", folder ? folder : "/tmp");
	if (!mkdtemp(path)) {
		perror(path);
		return 1;
	}
	struct bench bench = {0};
	start(&bench, path);
	for (int round = -1; round < ROUNDS; round++) {
		const int k = round < 0 ? 0 : round; // the first warms up
		for (size_t i = 0; i < ROW_COUNT; i++) {
			rows[i].alone[k] = measure(&bench, &rows[i]);
			if (!rows[i].one_thread) {
				rows[i].beside[k] = measure_beside(&bench, &rows[i]);
			}
		}
	}
	print_rows();
	finish(&bench);
	measure_start(path);
	snprintf(command, sizeof command, "rm -r '%s'", path);
	return system(command) != 0;
}
