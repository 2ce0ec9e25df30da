// Answers in a directory, by their ETag.
#include "cache/cache_disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/cache_disk_internal.h"
#include "cache/cache_file.h"
#include "cache/cached.h"
#include "store/store_files.h"

/* One response's part of the budget at most, and the part that may be written between two sweeps.
 */
#define SHARE_OF_BUDGET 8
#define SWEEP_SHARE 16

#define UNIT_BYTES 4096

/* Seconds for which a use need not be noted after the last one was. */
#define NOTED_S 60

/* Seconds between log lines, and from a sweep that failed to the next. */
#define QUIET_S 60

/* "unfinished/..." */
#define UNFINISHED_BYTES (sizeof UNFINISHED + CACHE_KEY_TEXT_BYTES)

uint64_t disk_bytes(uint64_t file_bytes) {
	return (file_bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

uint64_t disk_cached_bytes(const struct cache_disk *disk) {
	return disk->budget_bytes - disk->budget_bytes / SHARE_OF_BUDGET;
}

/* Counts in a figure of disk->stats, and logs unless something was logged a minute ago. */
static void complain(struct cache_disk *disk, uint64_t *figure, const char *what, const char *why) {
	const double now_s = clock_now_s();
	pthread_mutex_lock(&disk->mutex);
	const uint64_t so_far = ++*figure;
	const bool speak = now_s - disk->complained_s >= QUIET_S;
	disk->complained_s = speak ? now_s : disk->complained_s;
	pthread_mutex_unlock(&disk->mutex);
	if (speak) {
		log_line(LOG_WARNING, "cache: cannot %s in %s: %s (so far: %llu)", what, disk->path,
			why, (unsigned long long)so_far);
	}
}

void disk_complain(struct cache_disk *disk, const char *what) {
	complain(disk, &disk->stats.failures, what, strerror(errno));
}

void disk_count(struct cache_disk *disk, uint64_t *figure) {
	pthread_mutex_lock(&disk->mutex);
	++*figure;
	pthread_mutex_unlock(&disk->mutex);
}

static bool open_directory(struct cache_disk *disk, struct error *err) {
	if (!files_make_path(disk->path, err)) {
		return false;
	}
	disk->directory = open(disk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return disk->directory >= 0 ||
		error_set(err, ERROR_INTERNAL, "%s: %s", disk->path, strerror(errno));
}

static bool start_sweeper(struct cache_disk *disk, struct error *err) {
	const int failure = pthread_create(&disk->sweeper, NULL, disk_sweep, disk);
	disk->started = failure == 0;
	return disk->started ||
		error_set(err, ERROR_INTERNAL, "the cache's thread: %s", strerror(failure));
}

struct cache_disk *cache_disk_open(const struct cache_disk_options *options, struct error *err) {
	assert(options->budget_bytes > 0);
	struct cache_disk *disk = xcalloc(1, sizeof *disk);
	disk->budget_bytes = options->budget_bytes;
	disk->path = xstrndup(options->path, strlen(options->path));
	disk->directory = -1;
	disk->due = true;
	disk->failed_s = disk->complained_s = -INFINITY;
	disk->found.bytes = disk_cached_bytes(disk);
	pthread_mutex_init(&disk->mutex, NULL);
	pthread_cond_init(&disk->wake, NULL);
	if (getrandom(&disk->instance, sizeof disk->instance, 0) != sizeof disk->instance) {
		error_set(err, ERROR_INTERNAL, "no random numbers: %s", strerror(errno));
		goto fail;
	}
	if (!open_directory(disk, err) || !start_sweeper(disk, err)) {
		goto fail;
	}
	return disk;
fail:
	cache_disk_close(disk);
	return NULL;
}

void cache_disk_close(struct cache_disk *disk) {
	if (!disk) {
		return;
	}
	if (disk->started) {
		pthread_mutex_lock(&disk->mutex);
		disk->stopping = true;
		pthread_cond_signal(&disk->wake);
		pthread_mutex_unlock(&disk->mutex);
		pthread_join(disk->sweeper, NULL);
	}
	if (disk->directory >= 0) {
		close(disk->directory);
	}
	pthread_cond_destroy(&disk->wake);
	pthread_mutex_destroy(&disk->mutex);
	free(disk->path);
	free(disk);
}

void disk_name_file(const struct cache_key *key, char name[static DISK_NAME_BYTES]) {
	char text[CACHE_KEY_TEXT_BYTES];
	cache_key_write(key, text);
	snprintf(name, DISK_NAME_BYTES, "%.2s/%s", text, text);
}

/* Notes that a file was used. A time to come, as after a clock was put back, is mended as well. */
static void note_use(struct cache_disk *disk, const char *name, const struct stat *status) {
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
	const double age_s = difftime(time(NULL), status->st_mtime);
	// Removed meanwhile by another one is fine.
	if ((age_s >= NOTED_S || age_s < 0) &&
		utimensat(disk->directory, name, times, AT_SYMLINK_NOFOLLOW) != 0 &&
		errno != ENOENT) {
		disk_complain(disk, "note a use");
	}
}

static void drop_damaged(struct cache_disk *disk, const char *name) {
	complain(disk, &disk->stats.damaged, "use an answer", "damaged, to be removed");
	if (unlinkat(disk->directory, name, 0) != 0 && errno != ENOENT) {
		disk_complain(disk, "remove a damaged file");
	}
}

/* Opens a key's file for reading; -1 when there is none. */
static int open_file(struct cache_disk *disk, const char *name, struct stat *status) {
	// Without waiting, should somebody have put a pipe there.
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	const int file = openat(disk->directory, name, flags);
	if (file < 0 && errno != ENOENT) {
		disk_complain(disk, "open an answer");
	}
	if (file >= 0 && fstat(file, status) != 0) {
		disk_complain(disk, "look at an answer");
		close(file);
		return -1;
	}
	return file;
}

static struct cached *read_answer(struct cache_disk *disk, const struct cache_key *key) {
	char name[DISK_NAME_BYTES];
	struct stat status;
	disk_name_file(key, name);
	const int file = open_file(disk, name, &status);
	if (file < 0) {
		return NULL;
	}
	bool damaged;
	struct cached *response = cache_file_read(file, key, &damaged);
	if (response) {
		note_use(disk, name, &status);
	} else if (damaged) {
		drop_damaged(disk, name);
	} else {
		disk_complain(disk, "read an answer");
	}
	return response;
}

struct cached *cache_disk_get(struct cache_disk *disk, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	struct cached *response = read_answer(disk, &key);
	disk_count(disk, response ? &disk->stats.hits : &disk->stats.misses);
	return response;
}

/* Under the mutex. */
static void wake_sweeper(struct cache_disk *disk) {
	if (!disk->due && clock_now_s() - disk->failed_s >= QUIET_S) {
		disk->due = true;
		pthread_cond_signal(&disk->wake);
	}
}

static void add(struct disk_tally *tally, uint64_t bytes) {
	tally->entries++;
	tally->bytes += bytes;
}

/* Sets bytes of the budget aside, and a name for the file until it is whole. False when there is
 * not that much left. */
static bool begin(struct cache_disk *disk, uint64_t bytes, char name[static UNFINISHED_BYTES]) {
	pthread_mutex_lock(&disk->mutex);
	const uint64_t unseen = disk->begun.bytes - disk->seen.bytes + bytes;
	const bool fits = disk->found.bytes + unseen <= disk->budget_bytes;
	if (fits) {
		add(&disk->begun, bytes);
	}
	if (!fits || unseen > disk->budget_bytes / SWEEP_SHARE) {
		wake_sweeper(disk);
	}
	const struct cache_key unique = {{disk->instance, disk->unfinished++}};
	pthread_mutex_unlock(&disk->mutex);
	char text[CACHE_KEY_TEXT_BYTES];
	cache_key_write(&unique, text);
	snprintf(name, UNFINISHED_BYTES, "%s/%s", UNFINISHED, text);
	return fits;
}

/* Also when nothing was written after all: the next sweep finds out. */
static void end(struct cache_disk *disk, uint64_t bytes) {
	pthread_mutex_lock(&disk->mutex);
	add(&disk->ended, bytes);
	pthread_mutex_unlock(&disk->mutex);
}

/* Opens a new file, and makes the folder it lies in if there is none (any more). -1 with errno. */
static int create_file(const struct cache_disk *disk, const char *name) {
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	const int file = openat(disk->directory, name, flags, 0666);
	if (file >= 0 || errno != ENOENT) {
		return file;
	}
	if (mkdirat(disk->directory, UNFINISHED, 0777) != 0 && errno != EEXIST) {
		return -1;
	}
	return openat(disk->directory, name, flags, 0666);
}

static bool move_file(const struct cache_disk *disk, const char *from, const char *to) {
	if (renameat(disk->directory, from, disk->directory, to) == 0) {
		return true;
	}
	char folder[FOLDER_BYTES];
	snprintf(folder, sizeof folder, "%.2s", to);
	return errno == ENOENT &&
		(mkdirat(disk->directory, folder, 0777) == 0 || errno == EEXIST) &&
		renameat(disk->directory, from, disk->directory, to) == 0;
}

static void write_answer(struct cache_disk *disk, const struct cache_key *key,
	const struct cached *response, const char *unfinished, const char *name) {
	const int file = create_file(disk, unfinished);
	if (file < 0) {
		disk_complain(disk, "make a file");
		return;
	}
	if (!cache_file_write(file, key, response) || !move_file(disk, unfinished, name)) {
		disk_complain(disk, "write an answer");
		unlinkat(disk->directory, unfinished, 0);
	}
}

void cache_disk_put(struct cache_disk *disk, const char *tag, const struct cached *response) {
	const struct cache_key key = cache_key_of(tag);
	const uint64_t file_bytes = cache_file_bytes(response), bytes = disk_bytes(file_bytes);
	char name[DISK_NAME_BYTES], unfinished[UNFINISHED_BYTES];
	disk_name_file(&key, name);
	if (bytes > disk->budget_bytes / SHARE_OF_BUDGET || file_bytes > CACHE_FILE_MAX_BYTES ||
		faccessat(disk->directory, name, F_OK, 0) == 0 || !begin(disk, bytes, unfinished)) {
		return;
	}
	write_answer(disk, &key, response, unfinished, name);
	end(disk, bytes);
}

void cache_disk_stats(struct cache_disk *disk, struct cache_disk_stats *out) {
	pthread_mutex_lock(&disk->mutex);
	*out = disk->stats;
	out->entries = disk->found.entries + disk->begun.entries - disk->seen.entries;
	// Before the first sweep the bytes found are a guess.
	out->bytes =
		(disk->stats.sweeps ? disk->found.bytes : 0) + disk->begun.bytes - disk->seen.bytes;
	pthread_mutex_unlock(&disk->mutex);
}
