// Answers on disk: what comes back is what was put or nothing, whatever happens to the files.
#include "cache/cache_disk.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cache/cached.h"

#include "answers.h"
#include "check.h"

#define PLENTY ((uint64_t)64 << 20)
#define WAIT_S 20 // for the sweeper, which has nothing else to do

struct fixture {
	char path[64];
	struct cache_disk *disk;
};

static struct cache_disk *open_cache(const struct fixture *fixture, uint64_t budget_bytes) {
	const struct cache_disk_options options = {fixture->path, budget_bytes};
	struct cache_disk *disk = cache_disk_open(&options, NULL);
	assert_non_null(disk);
	return disk;
}

static struct cache_disk_stats stats(const struct fixture *fixture) {
	struct cache_disk_stats out;
	cache_disk_stats(fixture->disk, &out);
	return out;
}

/* Until the sweeper has been through the directory: what is put meanwhile counts twice. */
static void wait_for_a_sweep(const struct fixture *fixture) {
	const double start_s = clock_now_s();
	while (stats(fixture).sweeps == 0) {
		assert_true(clock_now_s() - start_s < WAIT_S);
		usleep(1000);
	}
}

static int set_up(void **state) {
	struct fixture *fixture = calloc(1, sizeof *fixture);
	strcpy(fixture->path, "/tmp/posed-cache-XXXXXX");
	assert_non_null(mkdtemp(fixture->path));
	fixture->disk = open_cache(fixture, PLENTY);
	wait_for_a_sweep(fixture);
	*state = fixture;
	return 0;
}

static void reopen(struct fixture *fixture, uint64_t budget_bytes) {
	cache_disk_close(fixture->disk);
	fixture->disk = open_cache(fixture, budget_bytes);
}

/* Runs a command in the cache's directory. */
static void run(const struct fixture *fixture, const char *command) {
	char line[512];
	snprintf(line, sizeof line, "cd %s && %s", fixture->path, command);
	assert_int_equal(system(line), 0);
}

static int tear_down(void **state) {
	struct fixture *fixture = *state;
	cache_disk_close(fixture->disk);
	run(fixture, "rm -r \"$PWD\"");
	free(fixture);
	return 0;
}

static void put(struct cache_disk *disk, unsigned number, size_t body_bytes) {
	char tag[TAG_BYTES];
	answer_tag(number, tag);
	struct cached *answer = answer_make(number, body_bytes);
	cache_disk_put(disk, tag, answer);
	cached_release(answer);
}

/* True if the number's response is cached, and right. */
static bool has(struct cache_disk *disk, unsigned number, size_t body_bytes) {
	char tag[TAG_BYTES];
	answer_tag(number, tag);
	struct cached *answer = cache_disk_get(disk, tag);
	const bool found = answer;
	if (found) {
		assert_true(answer_is(answer, number, body_bytes));
	}
	cached_release(answer);
	return found;
}

static void name_file(const struct fixture *fixture, unsigned number, char path[static 128]) {
	char tag[TAG_BYTES];
	answer_tag(number, tag);
	snprintf(path, 128, "%s/%.2s/%.32s", fixture->path, tag + 1, tag + 1);
}

static bool exists(const struct fixture *fixture, unsigned number) {
	char path[128];
	name_file(fixture, number, path);
	return access(path, F_OK) == 0;
}

/* Sets when a number's file was used last, so many seconds ago. */
static void set_age(const struct fixture *fixture, unsigned number, int age_s) {
	char path[128];
	name_file(fixture, number, path);
	struct timespec times[2] = {{.tv_sec = time(NULL) - age_s}, {.tv_sec = time(NULL) - age_s}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int age_of(const struct fixture *fixture, unsigned number) {
	char path[128];
	struct stat status;
	name_file(fixture, number, path);
	assert_int_equal(stat(path, &status), 0);
	return (int)(time(NULL) - status.st_mtime);
}

static uint64_t walked_files, walked_bytes;

static int walk(const char *path, const struct stat *status, int type) {
	(void)path;
	if (type == FTW_F) {
		walked_files++;
		walked_bytes += ((uint64_t)status->st_size + 4095) / 4096 * 4096;
	}
	return 0;
}

/* The bytes in the directory, including unfinished files. */
static uint64_t bytes_there(const struct fixture *fixture) {
	walked_files = walked_bytes = 0;
	ftw(fixture->path, walk, 16);
	return walked_bytes;
}

static void wait_for_evictions(const struct fixture *fixture, uint64_t least) {
	const double start_s = clock_now_s();
	while (stats(fixture).evictions < least) {
		assert_true(clock_now_s() - start_s < WAIT_S);
		usleep(1000);
	}
}

static void refuses_what_cannot_be_a_directory(void **state) {
	(void)state;
	const struct cache_disk_options options = {"/proc/nothing/here", PLENTY};
	struct error err = {0};
	assert_null(cache_disk_open(&options, &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	cache_disk_close(NULL);
}

static void keeps_nothing_beyond_an_eighth_of_its_budget(void **state) {
	struct fixture *fixture = *state;
	reopen(fixture, 800000);
	put(fixture->disk, 1, 100000);
	assert_false(has(fixture->disk, 1, 100000));
	put(fixture->disk, 2, 90000);
	assert_true(has(fixture->disk, 2, 90000));
	assert_int_equal(stats(fixture).failures, 0);
}

static void answers_are_found_again(void **state) {
	struct fixture *fixture = *state;
	static const size_t sizes[] = {0, 1, 4096, 70000, 3000000};
	assert_false(has(fixture->disk, 0, 0));
	for (unsigned i = 0; i < 5; i++) {
		put(fixture->disk, i, sizes[i]);
		put(fixture->disk, i, sizes[i]);
		assert_true(has(fixture->disk, i, sizes[i]));
	}
	assert_int_equal(stats(fixture).hits, 5);
	assert_int_equal(stats(fixture).misses, 1);
	assert_int_equal(stats(fixture).entries, 5);
	assert_int_equal(stats(fixture).bytes, bytes_there(fixture));
	reopen(fixture, PLENTY);
	for (unsigned i = 0; i < 5; i++) {
		assert_true(has(fixture->disk, i, sizes[i]));
	}
	wait_for_a_sweep(fixture);
	assert_int_equal(stats(fixture).entries, 5);
	assert_int_equal(stats(fixture).bytes, bytes_there(fixture));
	assert_int_equal(walked_files, 5);
}

/* A file as bytes, to be damaged. */
struct image {
	unsigned char bytes[512];
	size_t size;
};

static void read_image(const struct fixture *fixture, unsigned number, struct image *image) {
	char path[128];
	name_file(fixture, number, path);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	image->size = fread(image->bytes, 1, sizeof image->bytes, file);
	assert_true(image->size > 0 && image->size < sizeof image->bytes);
	fclose(file);
}

static void write_image(
	const struct fixture *fixture, unsigned number, const struct image *image, size_t size) {
	char path[128];
	name_file(fixture, number, path);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(image->bytes, 1, size, file), size);
	fclose(file);
}

static void expect_dropped(const struct fixture *fixture, unsigned number, size_t body_bytes) {
	const uint64_t before = stats(fixture).damaged;
	assert_false(has(fixture->disk, number, body_bytes));
	assert_int_equal(stats(fixture).damaged, before + 1);
	assert_false(exists(fixture, number));
}

static void every_torn_or_changed_file_is_noticed_and_dropped(void **state) {
	struct fixture *fixture = *state;
	struct image image;
	put(fixture->disk, 1, 30);
	read_image(fixture, 1, &image);
	for (size_t size = 0; size < image.size; size++) {
		write_image(fixture, 1, &image, size);
		expect_dropped(fixture, 1, 30);
	}
	for (size_t bit = 0; bit < image.size * 8; bit++) {
		image.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		write_image(fixture, 1, &image, image.size);
		expect_dropped(fixture, 1, 30);
		image.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	image.bytes[image.size] = 0;
	write_image(fixture, 1, &image, image.size + 1);
	expect_dropped(fixture, 1, 30);
	// Blocks that never reached the disk read as zeros: so the end, and so all of it.
	for (size_t zeros = 1; zeros <= image.size; zeros += zeros < image.size / 2 ? 1 : 7) {
		struct image torn = image;
		memset(torn.bytes + image.size - zeros, 0, zeros);
		if (memcmp(torn.bytes, image.bytes, image.size) != 0) {
			write_image(fixture, 1, &torn, image.size);
			expect_dropped(fixture, 1, 30);
		}
	}
	write_image(fixture, 1, &image, image.size);
	assert_true(has(fixture->disk, 1, 30));
	assert_int_equal(stats(fixture).failures, 0);
}

static void the_file_of_another_key_is_not_served(void **state) {
	struct fixture *fixture = *state;
	struct image image;
	put(fixture->disk, 1, 30);
	put(fixture->disk, 2, 30);
	read_image(fixture, 1, &image);
	write_image(fixture, 2, &image, image.size);
	expect_dropped(fixture, 2, 30);
	assert_true(has(fixture->disk, 1, 30));
}

static void a_use_is_noted_once_a_minute(void **state) {
	struct fixture *fixture = *state;
	put(fixture->disk, 1, 100);
	set_age(fixture, 1, 30);
	assert_true(has(fixture->disk, 1, 100));
	assert_true(age_of(fixture, 1) >= 30);
	set_age(fixture, 1, 5000);
	assert_true(has(fixture->disk, 1, 100));
	assert_true(age_of(fixture, 1) < 30);
	// From a time when the clock was wrong.
	set_age(fixture, 1, -5000);
	assert_true(has(fixture->disk, 1, 100));
	// time() may be a tick behind the clock of the files, and that across a second.
	assert_true(age_of(fixture, 1) >= -1);
	assert_true(age_of(fixture, 1) < 30);
}

static void what_was_used_least_recently_goes(void **state) {
	struct fixture *fixture = *state;
	for (unsigned i = 0; i < 100; i++) {
		put(fixture->disk, i, 8000); // two units each, with its head
		set_age(fixture, i, 1000 - (int)i);
	}
	assert_true(has(fixture->disk, 0, 8000)); // now the last used
	reopen(fixture, 80 * 8192);
	wait_for_evictions(fixture, 100 - 70);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(exists(fixture, i), i == 0 || i > 30);
	}
	assert_int_equal(stats(fixture).evictions, 30);
	assert_int_equal(bytes_there(fixture), 70 * 8192);
}

/* The bytes of files of these numbers, without those that are gone for good, which it takes out: no
 * walk through 256 folders. */
static uint64_t bytes_of(const struct fixture *fixture, unsigned *numbers, size_t *count) {
	uint64_t bytes = 0;
	size_t left = 0;
	for (size_t i = 0; i < *count; i++) {
		char path[128];
		struct stat status;
		name_file(fixture, numbers[i], path);
		if (stat(path, &status) == 0) {
			bytes += ((uint64_t)status.st_size + 4095) / 4096 * 4096;
			numbers[left++] = numbers[i];
		}
	}
	*count = left;
	return bytes;
}

#define PUTS 2000
#define PUTS_A_WALK 50 // after which all folders are looked through

static void the_budget_holds_at_every_moment(void **state) {
	struct fixture *fixture = *state;
	const uint64_t budget = 1 << 20;
	reopen(fixture, budget);
	unsigned seed = 3, found = 0, numbers[PUTS];
	size_t count = 0;
	for (unsigned i = 0; i < PUTS; i++) {
		seed = seed * 1664525u + 1013904223u;
		const size_t size = (seed >> 8) % 100000;
		put(fixture->disk, i, size);
		found += has(fixture->disk, i, size);
		numbers[count++] = i;
		assert_true(bytes_of(fixture, numbers, &count) <= budget);
		assert_true(i % PUTS_A_WALK > 0 || bytes_there(fixture) <= budget);
	}
	wait_for_evictions(fixture, 100);
	// Some are not kept while the sweeper is at work, but not most.
	assert_true(found > 200);
	assert_int_equal(stats(fixture).failures, 0);
	assert_int_equal(stats(fixture).damaged, 0);
}

static void foreign_files_stay_and_given_up_ones_go(void **state) {
	struct fixture *fixture = *state;
	put(fixture->disk, 1, 100);
	run(fixture,
		"mkdir -p ab tmp && dd if=/dev/zero of=big bs=1M count=2 status=none && "
		"echo x >ab/notes.txt && echo x >tmp/x && echo x >unfinished/x && "
		"echo x >ab/cd000000000000000000000000000000 && "
		"echo x >unfinished/00000000000000000000000000000000 && "
		"echo x >unfinished/00000000000000000000000000000001 && "
		"find . -type f ! -name '*1' -exec touch -d '2 hours ago' {} +");
	reopen(fixture, 40960);
	for (unsigned i = 2; i < 30; i++) {
		put(fixture->disk, i, 100);
		usleep(2000);
	}
	wait_for_evictions(fixture, 5);
	run(fixture, "test -e big -a -e ab/notes.txt -a -e tmp/x -a -e unfinished/x");
	run(fixture, "test -e ab/cd000000000000000000000000000000");
	run(fixture, "test -e unfinished/00000000000000000000000000000001");
	run(fixture, "test ! -e unfinished/00000000000000000000000000000000");
}

static void an_emptied_directory_is_filled_again(void **state) {
	struct fixture *fixture = *state;
	put(fixture->disk, 1, 100);
	run(fixture, "rm -r *");
	assert_false(has(fixture->disk, 1, 100));
	put(fixture->disk, 1, 100);
	assert_true(has(fixture->disk, 1, 100));
	assert_int_equal(stats(fixture).failures, 0);
}

/* In a process of its own, whose files may not grow: what a full disk is to write(). */
static void a_full_disk_is_counted_and_nothing_else(void **state) {
	struct fixture *fixture = *state;
	cache_disk_close(fixture->disk);
	fixture->disk = NULL;
	const pid_t child = fork();
	if (child == 0) {
		signal(SIGXFSZ, SIG_IGN);
		const struct rlimit limit = {1000, 1000};
		setrlimit(RLIMIT_FSIZE, &limit);
		fixture->disk = open_cache(fixture, PLENTY);
		put(fixture->disk, 1, 5000);
		put(fixture->disk, 2, 5000);
		put(fixture->disk, 3, 100);
		const bool right = stats(fixture).failures == 2 && !has(fixture->disk, 1, 5000) &&
			has(fixture->disk, 3, 100) && bytes_there(fixture) == 4096;
		_exit(right ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* An unwritable directory is still read. */
static void an_unwritable_directory_is_still_read(void **state) {
	struct fixture *fixture = *state;
	put(fixture->disk, 1, 100);
	run(fixture, "rm -r unfinished && touch unfinished");
	put(fixture->disk, 2, 100);
	assert_int_equal(stats(fixture).failures, 1);
	assert_false(has(fixture->disk, 2, 100));
	assert_true(has(fixture->disk, 1, 100));
}

#define THREADS 4
#define NUMBERS 150
#define SHARED_BUDGET (512 << 10) // of about 900 KiB that all of them take

struct user {
	pthread_t thread;
	struct cache_disk *disk;
	unsigned seed;
};

static void *use(void *argument) {
	struct user *user = argument;
	for (int i = 0; i < 1500; i++) {
		user->seed = user->seed * 1664525u + 1013904223u;
		const unsigned number = (user->seed >> 16) % NUMBERS;
		const size_t size = number * 67 % 10000;
		if (!has(user->disk, number, size)) {
			put(user->disk, number, size);
		}
	}
	return NULL;
}

/* Two caches that know nothing of each other, each used by two threads. */
static void caches_that_share_a_directory_do_no_harm(void **state) {
	struct fixture *fixture = *state;
	reopen(fixture, SHARED_BUDGET);
	struct cache_disk *other = open_cache(fixture, SHARED_BUDGET);
	struct user users[THREADS];
	for (unsigned i = 0; i < THREADS; i++) {
		users[i] = (struct user){.disk = i % 2 ? other : fixture->disk, .seed = i};
		assert_int_equal(pthread_create(&users[i].thread, NULL, use, &users[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(users[i].thread, NULL);
	}
	struct cache_disk_stats one = stats(fixture), two;
	cache_disk_stats(other, &two);
	cache_disk_close(other);
	assert_int_equal(one.hits + one.misses + two.hits + two.misses, THREADS * 1500);
	assert_true(one.hits > 0 && two.hits > 0 && one.evictions + two.evictions > 0);
	assert_int_equal(one.damaged + two.damaged, 0);
	assert_int_equal(one.failures + two.failures, 0);
	// Between two looks neither knows what the other writes; a look puts it right.
	reopen(fixture, SHARED_BUDGET);
	wait_for_a_sweep(fixture);
	assert_true(bytes_there(fixture) <= SHARED_BUDGET / 8 * 7);
	assert_true(bytes_there(fixture) > 0);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(refuses_what_cannot_be_a_directory),
		CASE(keeps_nothing_beyond_an_eighth_of_its_budget),
		CASE(answers_are_found_again),
		CASE(every_torn_or_changed_file_is_noticed_and_dropped),
		CASE(the_file_of_another_key_is_not_served),
		CASE(a_use_is_noted_once_a_minute),
		CASE(what_was_used_least_recently_goes),
		CASE(the_budget_holds_at_every_moment),
		CASE(foreign_files_stay_and_given_up_ones_go),
		CASE(an_emptied_directory_is_filled_again),
		CASE(a_full_disk_is_counted_and_nothing_else),
		CASE(an_unwritable_directory_is_still_read),
		CASE(caches_that_share_a_directory_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
