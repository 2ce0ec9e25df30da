/* A pose: the local transform of every joint and the weight of every morph target at one moment. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct pose {
	int joint_count;         // rig->joint_count
	struct transform *local; // [joint_count] relative to the parent
	int weight_count;        // rig->weight_count
	float *weights;          // [weight_count] morph weights by joint
};

/* A pose with the rig's rest transforms and weights, in the arena. Never fails. */
struct pose pose_rest(const struct rig *rig, struct arena *arena);

/* Forward kinematics: each joint's 3x4 matrix (rows) in the world, W_j = W_parent * T R S, in
 * double precision. world is [joint_count], the caller's. Never fails. METHODS 0.1. */
void pose_to_world(const struct rig *rig, const struct pose *pose, double (*world)[12]);
