/* Answers in a directory, by their ETag, where they outlive the daemon.
 *
 *   XX/KEY         a response (cache_file.h): KEY is the tag's 32 digits, XX the first two of them
 *   unfinished/    what is being written; what lies there for an hour was given up
 *
 * A cache may lose, but never lie: nothing is synced to the disk, and a file that is torn, damaged
 * or of another key is noticed by its checksum, removed and counted, and never served. Other builds
 * have other keys (cache_key.h). Names of files are made of the digits of a number and of nothing
 * that a client sent. Whatever fails is counted and logged at most once a minute; the client never
 * learns of it.
 *
 * A file's modification time is when it was last used, to the minute; the least recently used go
 * first. A thread of its own looks through the directory at the start, and whenever a sixteenth of
 * the budget has been written since it last did, and then removes what is beyond seven eighths.
 * Nothing waits for it; what the budget has no room for meanwhile is not cached. Several daemons
 * may share a directory: each sees what the others wrote when it looks, and the budget may be
 * exceeded by what they write between two looks.
 *
 * Any thread, but for opening and closing. All calls wait for the disk: not for the loop's thread.
 */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct cache_disk;
struct cached;

struct cache_disk_options {
	const char *path;      // of the directory, made if need be; copied
	uint64_t budget_bytes; // that the files may take, each rounded up to 4 KiB; more than 0
};

struct cache_disk_stats {
	uint64_t hits, misses, evictions; // so far, by this daemon
	uint64_t damaged;                 // files found to be, and removed
	uint64_t failures;                // calls that the system refused
	uint64_t sweeps;                  // looks through the directory that found all of it
	// Now, as far as is known: what others change shows with the next look, and what is written
	// during one counts twice until the next.
	uint64_t entries, bytes;
};

/* NULL with ERROR_INTERNAL when the directory cannot be made or opened. */
struct cache_disk *cache_disk_open(const struct cache_disk_options *options, struct error *err);
void cache_disk_close(struct cache_disk *disk); // takes NULL

/* A new response with one reference, read whole; NULL when there is none under the tag. */
struct cached *cache_disk_get(struct cache_disk *disk, const char *tag);

/* Writes the response unless it is there, has more bytes than an eighth of the budget or
 * CACHE_FILE_MAX_BYTES, or the budget is used up at the moment. */
void cache_disk_put(struct cache_disk *disk, const char *tag, const struct cached *response);

void cache_disk_stats(struct cache_disk *disk, struct cache_disk_stats *out);
