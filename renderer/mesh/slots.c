// Palette slots that are one and the same matrix in every pose.
#include "mesh/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct entry {
	const struct palette_slot *slot;
	int index;
};

static int compare_matrices(const struct palette_slot *a, const struct palette_slot *b) {
	if (a->joint != b->joint) {
		return a->joint < b->joint ? -1 : 1;
	}
	return memcmp(a->inverse_bind, b->inverse_bind, sizeof a->inverse_bind);
}

static int compare(const void *a, const void *b) {
	const struct entry *left = a, *right = b;
	const int order = compare_matrices(left->slot, right->slot);
	return order ? order : (left->index > right->index) - (left->index < right->index);
}

int *slots_unify(const struct rig *rig, struct error *err) {
	const size_t count = (size_t)rig->slot_count;
	int *unified = try_calloc(count, sizeof *unified, "slots", err);
	struct entry *entries = try_calloc(count, sizeof *entries, "slots", err);
	if (!unified || !entries) {
		free(unified);
		free(entries);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		entries[i] = (struct entry){&rig->slots[i], (int)i};
	}
	qsort(entries, count, sizeof *entries, compare);
	for (size_t i = 0; i < count; i++) {
		const bool same = i && !compare_matrices(entries[i].slot, entries[i - 1].slot);
		const int first = same ? unified[entries[i - 1].index] : entries[i].index;
		unified[entries[i].index] = first;
	}
	free(entries);
	return unified;
}
