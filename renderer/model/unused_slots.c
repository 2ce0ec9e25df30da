// A rig's palette without the slots that move nothing.
#include "model/unused_slots.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* Number of a primitive's influences. */
static size_t influences_of(const struct primitive *primitive) {
	return (size_t)primitive->vertex_count * (size_t)primitive->influence_count;
}

static void mark_used(const struct rig *rig, const struct primitive *primitive, bool *used) {
	const size_t count = influences_of(primitive);
	for (size_t i = 0; i < count; i++) {
		const size_t at = primitive->first_influence + i;
		// An influence without a weight names its vertex's pivot, which has one.
		used[primitive->first_slot + rig->influence_slots[at]] = true;
	}
	used[primitive->first_slot] |= count == 0;
}

/* Moves the used slots together. before[i] is how many used slots there are before slot i:
 * [slot_count + 1]. */
static void compact(struct rig *rig, const bool *used, int *before) {
	int count = 0;
	for (int i = 0; i < rig->slot_count; i++) {
		before[i] = count;
		if (used[i]) {
			rig->slots[count++] = rig->slots[i];
		}
	}
	before[rig->slot_count] = count;
	rig->slot_count = count;
}

static void renumber(const struct rig *rig, struct primitive *primitive, const int *before) {
	const int old_first = primitive->first_slot;
	const int first = before[old_first];
	const size_t count = influences_of(primitive);
	for (size_t i = 0; i < count; i++) {
		uint16_t *slot = &rig->influence_slots[primitive->first_influence + i];
		*slot = (uint16_t)(before[old_first + *slot] - first);
	}
	primitive->slot_count = before[old_first + primitive->slot_count] - first;
	primitive->first_slot = first;
	assert(primitive->slot_count >= 1);
}

void rig_drop_unused_slots(struct rig *rig) {
	bool *used = xcalloc((size_t)rig->slot_count, sizeof *used);
	int *before = xcalloc((size_t)rig->slot_count + 1, sizeof *before);
	for (int i = 0; i < rig->primitive_count; i++) {
		mark_used(rig, &rig->primitives[i], used);
	}
	compact(rig, used, before);
	for (int i = 0; i < rig->primitive_count; i++) {
		renumber(rig, &rig->primitives[i], before);
	}
	free(before);
	free(used);
}
