// Connections counted by address: a table of keys that are hashes already.
#include "http/addresses.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

struct slot {
	uint64_t key;
	size_t count; // 0 = free
};

struct addresses {
	size_t mask; // slots less one: a power of two, of which half are free at least
	struct slot slots[];
};

struct addresses *addresses_create(size_t connections) {
	size_t slots = 2;
	while (slots < 2 * connections) {
		slots *= 2;
	}
	struct addresses *addresses =
		xcalloc(1, sizeof *addresses + slots * sizeof *addresses->slots);
	addresses->mask = slots - 1;
	return addresses;
}

void addresses_destroy(struct addresses *addresses) {
	free(addresses);
}

/* The slot of a key, or the free one that it may have. */
static size_t find(const struct addresses *addresses, uint64_t key) {
	size_t i = key & addresses->mask;
	while (addresses->slots[i].count > 0 && addresses->slots[i].key != key) {
		i = (i + 1) & addresses->mask;
	}
	return i;
}

size_t addresses_enter(struct addresses *addresses, uint64_t key) {
	struct slot *slot = &addresses->slots[find(addresses, key)];
	slot->key = key;
	return ++slot->count;
}

/* Moves what stands behind a slot that became free to where find() looks for it. */
static void close_gap(struct addresses *addresses, size_t gap) {
	for (size_t i = (gap + 1) & addresses->mask; addresses->slots[i].count > 0;
		i = (i + 1) & addresses->mask) {
		const struct slot slot = addresses->slots[i];
		addresses->slots[i].count = 0;
		addresses->slots[find(addresses, slot.key)] = slot;
	}
}

void addresses_leave(struct addresses *addresses, uint64_t key) {
	const size_t i = find(addresses, key);
	assert(addresses->slots[i].count > 0);
	if (--addresses->slots[i].count == 0) {
		close_gap(addresses, i);
	}
}
