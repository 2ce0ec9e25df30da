// All responses of a directory: how many there are, and which go.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cache/cache_disk_internal.h"
#include "store/store_files.h"

/* Seconds after which no thread is writing a file any more. */
#define GIVEN_UP_S 3600

/* One response's file, as small as it can be: there may be millions. */
struct file {
	struct cache_key key;
	int64_t used_ns;
	uint64_t bytes;
};

struct sweep {
	struct cache_disk *disk;
	int folder;         // descriptor of the one that is looked through
	int folder_number;  // [0, FOLDER_COUNT)
	struct file *files; // [found.entries]
	size_t capacity;
	struct disk_tally found;
	bool failed;
};

static void fail(struct sweep *sweep, const char *what) {
	disk_complain(sweep->disk, what);
	sweep->failed = true;
}

static void add_file(struct sweep *sweep, const struct cache_key *key, const struct stat *status) {
	if (sweep->found.entries == sweep->capacity) {
		sweep->capacity = sweep->capacity ? sweep->capacity * 2 : 1024;
		sweep->files = xrealloc(sweep->files, sweep->capacity, sizeof *sweep->files);
	}
	const uint64_t bytes = disk_bytes((uint64_t)status->st_size);
	sweep->files[sweep->found.entries++] = (struct file){.key = *key,
		.used_ns = status->st_mtim.tv_sec * (int64_t)1000000000 + status->st_mtim.tv_nsec,
		.bytes = bytes};
	sweep->found.bytes += bytes;
}

/* Leaves alone whatever is not named as we name files. */
static void visit_answer(void *context, const char *name) {
	struct sweep *sweep = context;
	struct cache_key key;
	struct stat status;
	if (sweep->disk->stopping || !cache_key_read(name, &key) ||
		(int)(key.words[0] >> 56) != sweep->folder_number) {
		return;
	}
	if (fstatat(sweep->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT) {
			fail(sweep, "look at an answer");
		}
	} else if (S_ISREG(status.st_mode)) {
		add_file(sweep, &key, &status);
	}
}

static void visit_unfinished(void *context, const char *name) {
	struct sweep *sweep = context;
	struct cache_key key;
	struct stat status;
	if (cache_key_read(name, &key) &&
		fstatat(sweep->folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISREG(status.st_mode) && difftime(time(NULL), status.st_mtime) > GIVEN_UP_S &&
		unlinkat(sweep->folder, name, 0) != 0 && errno != ENOENT) {
		fail(sweep, "remove an unfinished file");
	}
}

static void look_through(
	struct sweep *sweep, const char *name, void (*visit)(void *context, const char *name)) {
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	sweep->folder = openat(sweep->disk->directory, name, flags);
	if (sweep->folder < 0) {
		if (errno != ENOENT) {
			fail(sweep, "open a folder");
		}
		return;
	}
	if (!files_each(sweep->folder, visit, sweep, NULL)) {
		fail(sweep, "look through a folder");
	}
	close(sweep->folder);
}

static int by_use(const void *a, const void *b) {
	const int64_t left = ((const struct file *)a)->used_ns;
	const int64_t right = ((const struct file *)b)->used_ns;
	return (left > right) - (left < right);
}

/* Takes a file out, if no other thread has. */
static void remove_file(struct sweep *sweep, const struct file *file) {
	char name[DISK_NAME_BYTES];
	disk_name_file(&file->key, name);
	if (unlinkat(sweep->disk->directory, name, 0) == 0) {
		disk_count(sweep->disk, &sweep->disk->stats.evictions);
	} else if (errno != ENOENT) {
		fail(sweep, "remove an answer");
		return;
	}
	sweep->found.bytes -= file->bytes;
	sweep->found.entries--;
}

/* Removes what was used least recently, until there is room for what comes before the next time. */
static void make_room(struct sweep *sweep) {
	const uint64_t cached_bytes = disk_cached_bytes(sweep->disk);
	const uint64_t count = sweep->found.entries;
	if (sweep->found.bytes <= cached_bytes) {
		return;
	}
	qsort(sweep->files, count, sizeof *sweep->files, by_use);
	for (uint64_t i = 0;
		i < count && sweep->found.bytes > cached_bytes && !sweep->disk->stopping; i++) {
		remove_file(sweep, &sweep->files[i]);
	}
}

static void sweep_once(struct sweep *sweep) {
	look_through(sweep, UNFINISHED, visit_unfinished);
	for (int i = 0; i < FOLDER_COUNT; i++) {
		char name[FOLDER_BYTES];
		snprintf(name, sizeof name, "%02x", (unsigned)i);
		sweep->folder_number = i;
		look_through(sweep, name, visit_answer);
	}
	make_room(sweep);
	free(sweep->files);
}

/* Waits for the next sweep, and says what of the files written so far it will see for certain. */
static bool wait_until_due(struct cache_disk *disk, struct disk_tally *seen) {
	pthread_mutex_lock(&disk->mutex);
	while (!disk->due && !disk->stopping) {
		pthread_cond_wait(&disk->wake, &disk->mutex);
	}
	*seen = disk->ended;
	pthread_mutex_unlock(&disk->mutex);
	return !disk->stopping;
}

/* Files that a failed sweep has not seen must not count as room: then the figures stay as they
 * were. */
static void note_result(
	struct cache_disk *disk, const struct sweep *sweep, const struct disk_tally *seen) {
	pthread_mutex_lock(&disk->mutex);
	if (sweep->failed) {
		disk->failed_s = clock_now_s();
	} else {
		disk->found = sweep->found;
		disk->seen = *seen;
		disk->stats.sweeps++;
	}
	disk->due = false;
	pthread_mutex_unlock(&disk->mutex);
}

void *disk_sweep(void *argument) {
	struct cache_disk *disk = argument;
	struct disk_tally seen;
	while (wait_until_due(disk, &seen)) {
		struct sweep sweep = {.disk = disk};
		sweep_once(&sweep);
		note_result(disk, &sweep, &seen);
	}
	return NULL;
}
