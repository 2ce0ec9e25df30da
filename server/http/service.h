/* The parts of the daemon that all handlers share. */
#pragma once

#include <stdatomic.h>

#include "store/hash.h"
#include "work/heap_trim.h"
#include "work/thread_pool.h"

struct auth;
struct cache;
struct cache_disk;
struct check_tasks;
struct fits;
struct importer;
struct thread_pool;
struct metrics;
struct skin_library;
struct store;
struct streams;

struct service {
	struct importer *importer;     // borrowed from main; NULL = assets are read here
	struct store *store;           // borrowed from main
	struct skin_library *library;  // of skinning methods' data; borrowed from main
	struct fits *fits;             // borrowed from main
	struct streams *streams;       // borrowed from main
	struct check_tasks *checks;    // in the background; borrowed from main
	struct metrics *metrics;       // borrowed from main
	struct cache *cache;           // borrowed from main
	struct cache_disk *cache_disk; // borrowed from main; NULL = none
	struct auth *auth;             // borrowed from main; the loop's thread only
	struct thread_pool *pools[EXECUTOR_COUNT]; // borrowed from main; none for the loop
	double clip_tolerance_m; // of baked clips, for a figure of a human's size; 0 = raw
	unsigned uses; // of avatars, which their licences have to allow: see licence_read_uses()
	char build[HASH_TEXT_BYTES]; // hash of this program: responses of another may differ
	struct heap_trim trim;       // the loop's thread only
	size_t connections;          // open; the loop's thread only
	size_t connections_max;      // that there may be
	size_t in_flight;            // requests that a connection waits for; likewise
	atomic_bool stopping;        // no new work is taken
};
