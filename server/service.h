/* What the handlers of all calls share. */
#pragma once

#include <stdatomic.h>

#include "hash.h"

struct importer;
struct jobs;
struct store;

struct service {
	struct importer *importer;   // borrowed from main; NULL = assets are read in this process
	struct store *store;         // borrowed from main
	struct jobs *jobs;           // borrowed from main
	char build[HASH_TEXT_BYTES]; // hash of this program: the same request may look other later
	atomic_bool stopping;        // no new work is taken
};
