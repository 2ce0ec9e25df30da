// Rest poses and forward kinematics.
#include "pose/pose.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/mat.h"
#include "base/utf8.h"

struct pose pose_rest(const struct rig *rig, struct arena *arena) {
	struct pose pose = {
		.joint_count = rig->joint_count,
		.local = arena_alloc(arena, (size_t)rig->joint_count, sizeof *pose.local),
		.weight_count = rig->weight_count,
		.weights = arena_alloc(arena, (size_t)rig->weight_count, sizeof *pose.weights),
		.driven = arena_alloc(arena, (size_t)rig->joint_count, sizeof *pose.driven),
	};
	pose_set_rest(rig, 0, &pose);
	return pose;
}

void pose_set_rest(const struct rig *rig, unsigned char driven, struct pose *pose) {
	for (int i = 0; i < rig->joint_count; i++) {
		pose->local[i] = rig->joints[i].rest;
		pose->driven[i] = driven;
	}
	if (rig->weight_count > 0) {
		memcpy(pose->weights, rig->rest_weights,
			(size_t)rig->weight_count * sizeof *pose->weights);
	}
}

float *pose_channel(const struct rig *rig, const struct pose *pose, int joint,
	enum channel_path path, int *width) {
	struct transform *local = &pose->local[joint];
	switch (path) {
	case CHANNEL_TRANSLATION:
		*width = 3;
		return local->translation;
	case CHANNEL_ROTATION:
		*width = 4;
		return local->rotation;
	case CHANNEL_SCALE:
		*width = 3;
		return local->scale;
	case CHANNEL_WEIGHTS:
		break;
	}
	*width = rig->joints[joint].weight_count;
	return pose->weights + rig->joints[joint].first_weight;
}

void pose_to_world(const struct rig *rig, const struct pose *pose, double (*world)[12]) {
	(LANES_CPU_HAS_AVX2() ? world_build_avx2 : world_build)(
		rig, pose->local, NULL, rig->joint_count, world);
}

void pose_to_moving(const struct rig *rig, const struct pose *pose, double (*world)[12]) {
	const int count = rig->moving_joints ? rig->moving_count : rig->joint_count;
	(LANES_CPU_HAS_AVX2() ? world_build_avx2 : world_build)(
		rig, pose->local, rig->moving_joints, count, world);
}

void pose_joint_world(
	const struct rig *rig, const struct pose *pose, int joint, double world[static 12]) {
	memcpy(world, (const double[12])MAT_IDENTITY, 12 * sizeof *world);
	for (int i = joint; i >= 0; i = rig->joints[i].parent) {
		const struct transform *local = pose ? &pose->local[i] : &rig->joints[i].rest;
		double m[12];
		mat_from_transform(local->translation, local->rotation, local->scale, m);
		mat_multiply(m, world, world);
	}
}

bool pose_check_world(const struct rig *rig, const double (*world)[12], struct error *err) {
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < 12; k++) {
			if (!isfinite((float)world[i][k])) {
				char name[160];
				utf8_quote(rig->joints[i].name, name, sizeof name);
				return error_set(err, ERROR_INVALID_VALUE,
					"the pose takes joint %s farther than float32 reaches",
					name);
			}
		}
	}
	return true;
}
