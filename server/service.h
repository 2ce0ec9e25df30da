/* What the handlers of all calls share. */
#pragma once

#include <stdatomic.h>

#include "hash.h"
#include "place.h"

struct auth;
struct cache;
struct importer;
struct jobs;
struct store;

struct service {
	struct importer *importer;       // borrowed from main; NULL = assets are read here
	struct store *store;             // borrowed from main
	struct cache *cache;             // borrowed from main
	struct auth *auth;               // borrowed from main; the loop's thread only
	struct jobs *pools[PLACE_COUNT]; // borrowed from main; none for the loop
	char build[HASH_TEXT_BYTES];     // hash of this program: requests may look other later
	atomic_bool stopping;            // no new work is taken
};
