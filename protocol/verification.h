/* The findings of posed verify in a store, as JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum store_finding_kind {
	STORE_DAMAGE,   // not as it was stored
	STORE_LEFTOVER, // of a change that did not end; the next start removes it
	STORE_OLDER,    // of a version without checksums
	STORE_FINDING_KIND_COUNT
};

/* "damage", "leftover" or "older". */
const char *store_finding_name(enum store_finding_kind kind);

struct store_finding {
	enum store_finding_kind kind;
	const char *place; // in the directory, such as "rigs/fox"; UTF-8
	const char *rig;   // whose; NULL = nobody's
	const char *says;  // one sentence
};

struct verification {
	size_t rigs, objects, derived;  // objects and derived: the sound ones
	uint64_t bytes;                 // of these
	struct store_finding *findings; // [count]
	size_t count, room;
	size_t counts[STORE_FINDING_KIND_COUNT];
};

/* {"sound": ..., "rigs", "objects", "derived", "bytes", "damage": [{"place", "rig", "says"}],
 * "leftover": [...], "older": [...]}; rig only where it is somebody's. */
void verification_write(const struct verification *verification, struct buffer *out);
