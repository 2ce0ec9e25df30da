// Poses that an evaluation needs for a while.
#include "pose/pool.h"

static size_t slot_bytes(const struct rig *rig) {
	const size_t joint = sizeof(struct transform) + sizeof(unsigned char) + sizeof(float);
	return sizeof(struct pose_slot) + (size_t)rig->joint_count * joint +
		(size_t)rig->weight_count * sizeof(float);
}

struct pose_slot *pose_pool_take(
	struct pose_pool *pool, const struct rig *rig, struct arena *arena, struct error *err) {
	struct pose_slot *slot = pool->free;
	if (slot) {
		pool->free = slot->next;
		return slot;
	}
	const size_t bytes = slot_bytes(rig);
	if (bytes > POSE_POOL_BYTES - pool->bytes) {
		error_set(err, ERROR_TOO_LARGE,
			"the pose needs more than %zu poses of %d joints at once; blend fewer of "
			"them",
			pool->bytes / bytes, rig->joint_count);
		return NULL;
	}
	pool->bytes += bytes;
	slot = arena_alloc(arena, 1, sizeof *slot);
	slot->pose = pose_rest(rig, arena);
	slot->mask = arena_alloc(arena, (size_t)rig->joint_count, sizeof *slot->mask);
	return slot;
}

void pose_pool_give(struct pose_pool *pool, struct pose_slot *slot) {
	if (slot) {
		slot->next = pool->free;
		pool->free = slot;
	}
}
