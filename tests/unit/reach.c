// World positions of a pose's joints.
#include "reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "rigs.h"

struct rig *rig_chain(unsigned seed, int joint_count) {
	struct rig *rig = rig_random(seed, joint_count, 1, 4);
	for (int i = 0; i < joint_count; i++) {
		float *rotation = rig->joints[i].rest.rotation;
		double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
		quat_normalize(q);
		for (int k = 0; k < 4; k++) {
			rotation[k] = (float)q[k];
		}
	}
	return rig;
}

void joint_matrix(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 12]) {
	double(*world)[12] = xcalloc((size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, pose, world);
	memcpy(out, world[joint], sizeof *world);
	free(world);
}

void joint_position(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 3]) {
	double m[12];
	joint_matrix(rig, pose, joint, m);
	for (int i = 0; i < 3; i++) {
		out[i] = m[i * 4 + 3];
	}
}

double joint_misses(
	const struct rig *rig, const struct pose *pose, int joint, const double point[static 3]) {
	double at[3];
	joint_position(rig, pose, joint, at);
	vec3_sub(at, point, at);
	return vec3_length(at);
}

double joint_distance(const struct rig *rig, const struct pose *pose, int a, int b) {
	double at[3];
	joint_position(rig, pose, a, at);
	return joint_misses(rig, pose, b, at);
}

double joint_angle(const struct rig *rig, const struct pose *pose, int a, int middle, int b) {
	double at[3], first[3], second[3], normal[3];
	joint_position(rig, pose, middle, at);
	joint_position(rig, pose, a, first);
	joint_position(rig, pose, b, second);
	vec3_sub(first, at, first);
	vec3_sub(second, at, second);
	vec3_cross(first, second, normal);
	return atan2(vec3_length(normal), vec3_dot(first, second)) * 180 / 3.14159265358979323846;
}

void expect_sound_pose(const struct pose *pose) {
	for (int i = 0; i < pose->joint_count; i++) {
		const struct transform *local = &pose->local[i];
		double square = 0;
		for (int k = 0; k < 4; k++) {
			square += (double)local->rotation[k] * local->rotation[k];
		}
		assert_near(sqrt(square), 1, 1e-6);
		for (int k = 0; k < 3; k++) {
			assert_true(isfinite(local->translation[k]) && isfinite(local->scale[k]));
		}
	}
}
