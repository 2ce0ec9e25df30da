// What was asked for lately.
#include "cache/asked.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cache/cache_key.h"

/* Tags that are remembered: of some seconds of the greatest load. */
#define SLOTS 65536

struct asked {
	uint64_t slots[SLOTS]; // half of a key, by the other half; 0 = none
};

struct asked *asked_create(void) {
	return xcalloc(1, sizeof(struct asked));
}

void asked_destroy(struct asked *asked) {
	free(asked);
}

bool asked_note(struct asked *asked, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	uint64_t *slot = &asked->slots[key.words[0] % SLOTS];
	const bool before = *slot == key.words[1];
	*slot = key.words[1];
	return before;
}
