// The requests of late.
#include "cache/doorkeeper.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cache/etag.h"

/* Tags that are remembered: of some seconds of the greatest load. */
#define SLOTS 65536

struct doorkeeper {
	uint64_t slots[SLOTS]; // half of a key, by the other half; 0 = none
};

struct doorkeeper *doorkeeper_create(void) {
	return xcalloc(1, sizeof(struct doorkeeper));
}

void doorkeeper_destroy(struct doorkeeper *doorkeeper) {
	free(doorkeeper);
}

bool doorkeeper_note(struct doorkeeper *doorkeeper, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	uint64_t *slot = &doorkeeper->slots[key.words[0] % SLOTS];
	const bool before = *slot == key.words[1];
	*slot = key.words[1];
	return before;
}
