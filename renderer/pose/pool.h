/* Poses that an evaluation needs for a while: given back, they serve again, and all of them die
 * with the arena. */
#pragma once

#include "pose/pose.h"

/* Most bytes of poses of one evaluation, all nesting together: some thousand poses of a usual rig.
 * Render threads evaluate at the same time. */
#define POSE_POOL_BYTES ((size_t)64 << 20)

struct pose_slot {
	struct pose pose;       // with its arrays; contents of no meaning
	float *mask;            // [joint_count] for whoever blends the pose
	struct pose_slot *next; // in the pool
};

/* Zero is empty. */
struct pose_pool {
	struct pose_slot *free;
	size_t bytes; // of all slots made, free or not
};

/* A slot for poses of a rig, always the same one with a pool; its memory is in the arena. NULL with
 * ERROR_TOO_LARGE. */
struct pose_slot *pose_pool_take(
	struct pose_pool *pool, const struct rig *rig, struct arena *arena, struct error *err);

/* Gives a slot back; takes NULL. */
void pose_pool_give(struct pose_pool *pool, struct pose_slot *slot);
