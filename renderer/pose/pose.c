// Rest poses and forward kinematics.
#include "pose/pose.h"

#include <string.h>

#include "base/mat.h"

struct pose pose_rest(const struct rig *rig, struct arena *arena) {
	const struct pose pose = {
		.joint_count = rig->joint_count,
		.local = arena_alloc(arena, (size_t)rig->joint_count, sizeof *pose.local),
		.weight_count = rig->weight_count,
		.weights = arena_alloc(arena, (size_t)rig->weight_count, sizeof *pose.weights),
	};
	for (int i = 0; i < rig->joint_count; i++) {
		pose.local[i] = rig->joints[i].rest;
	}
	if (rig->weight_count > 0) {
		memcpy(pose.weights, rig->rest_weights,
			(size_t)rig->weight_count * sizeof *pose.weights);
	}
	return pose;
}

void pose_to_world(const struct rig *rig, const struct pose *pose, double (*world)[12]) {
	for (int i = 0; i < rig->joint_count; i++) {
		const struct transform *local = &pose->local[i];
		mat_from_transform(local->translation, local->rotation, local->scale, world[i]);
		const int parent = rig->joints[i].parent;
		if (parent >= 0) {
			mat_multiply(world[parent], world[i], world[i]);
		}
	}
}
