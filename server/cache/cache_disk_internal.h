/* Shared by cache_disk.c (one response in or out) and cache_disk_sweep.c (all of them). */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cache/cache_disk.h"
#include "cache/etag.h"

/* Folders of the directory, by the first eight bits of the key. */
#define FOLDER_COUNT 256
#define FOLDER_BYTES 3 // "c0" with its NUL

#define UNFINISHED "unfinished"

#define UNFINISHED "unfinished"

/* Files and the room that they take. */
struct disk_tally {
	uint64_t entries, bytes;
};

struct cache_disk {
	uint64_t budget_bytes;
	char *path;        // for messages
	int directory;     // descriptor
	uint64_t instance; // random: with a number, the name of a file being written
	pthread_t sweeper;
	bool started;         // the sweeper was
	atomic_bool stopping; // set under the mutex

	pthread_mutex_t mutex; // guards what follows; never held while the disk is waited for
	pthread_cond_t wake;   // `due` or `stopping` was set
	bool due;              // a sweep is wanted, or under way
	double failed_s;       // when a sweep last could not do its work
	double complained_s;   // when something wrong was last logged
	uint64_t unfinished;   // files begun so far

	// Of all files that were written since the start: those begun, those whose writing ended,
	// and how many of the latter there were when the last sweep began, which has seen them.
	struct disk_tally begun, ended, seen;
	struct disk_tally found; // left by the last sweep; before the first, the most it may leave
	struct cache_disk_stats stats; // but for entries and bytes
};

#define DISK_NAME_BYTES (FOLDER_BYTES + CACHE_KEY_TEXT_BYTES)

/* The name of a key's file, below the directory: "c0/c0...". */
void disk_name_file(const struct cache_key *key, char name[static DISK_NAME_BYTES]);

/* Bytes that a file of so many bytes takes, in units of what most file systems allot. */
uint64_t disk_bytes(uint64_t file_bytes);

/* The most that a sweep leaves: files written until the next one still fit. */
uint64_t disk_cached_bytes(const struct cache_disk *disk);

/* Adds one to a figure of disk->stats. */
void disk_count(struct cache_disk *disk, uint64_t *figure);

/* Counts a failed call, with errno, and logs it unless something was logged a minute ago. */
void disk_complain(struct cache_disk *disk, const char *what);

/* The sweeper's thread: looks through the directory whenever it is due, until stopping. */
void *disk_sweep(void *disk);
