// Averages of many joints that the same poses have a say in.
#include "pose/blend/average_lanes.h"

#include <stddef.h>
#include <string.h>

#include "base/quaternions.h"

/* Sums of squares below which there is no average: see quat_average(). */
#define LEAST_SQUARE 1e-8

/* The rotations of four joints in one pose; beyond the last joint it stands for the others. */
KERNEL struct quaternions load_four(
	const struct transform *local, const int joints[static AVERAGE_LANES]) {
	const float *const rows[4] = {local[joints[0]].rotation, local[joints[1]].rotation,
		local[joints[2]].rotation, local[joints[3]].rotation};
	return quaternions_load(rows);
}

/* The weighted sum, each quaternion with the sign that brings it nearer to the reference. */
KERNEL struct quaternions sum_four(
	const struct average_joints *joints, const int four[static AVERAGE_LANES]) {
	const struct average_share *shares = joints->shares;
	const struct quaternions reference = load_four(shares[joints->reference].pose->local, four);
	struct quaternions sum =
		quaternions_scale(reference, (doubles4){0} + shares[joints->reference].weight);
	for (int i = 0; i < joints->share_count; i++) {
		if (i == joints->reference) {
			continue;
		}
		const struct quaternions q = load_four(shares[i].pose->local, four);
		const doubles4 weight = doubles4_flip((doubles4){0} + shares[i].weight,
			doubles4_sign(quaternions_dot(q, reference)));
		sum = quaternions_add(sum, quaternions_scale(q, weight));
	}
	return sum;
}

LANES_TARGET int LANES_NAME(average_lanes_rotations)(const struct average_joints *joints) {
	const int last = joints->end - 1;
	struct transform *out = joints->out;
	for (int at = joints->first; at < joints->end; at += AVERAGE_LANES) {
		const int four[AVERAGE_LANES] = {at, at + 1 < last ? at + 1 : last,
			at + 2 < last ? at + 2 : last, at + 3 < last ? at + 3 : last};
		const struct quaternions sum = sum_four(joints, four);
		const doubles4 square = quaternions_dot(sum, sum);
		if (doubles4_any(square < LEAST_SQUARE)) {
			return at;
		}
		float *const rows[4] = {out[four[0]].rotation, out[four[1]].rotation,
			out[four[2]].rotation, out[four[3]].rotation};
		quaternions_store(quaternions_scale(sum, 1 / sqrt4(square)), rows);
	}
	return joints->end;
}

/* The four numbers at the same place of a joint in every pose. */
KERNEL floats4 average_numbers(const struct average_joints *joints, int joint, size_t at) {
	doubles4 sum = {0};
	for (int i = 0; i < joints->share_count; i++) {
		const struct average_share *share = &joints->shares[i];
		const char *numbers = (const char *)&share->pose->local[joint] + at;
		sum += share->weight * widen4(load4((const float *)numbers));
	}
	return narrow4(sum);
}

LANES_TARGET void LANES_NAME(average_lanes_translations)(const struct average_joints *joints) {
	for (int joint = joints->first; joint < joints->end; joint++) {
		// With the rotation's first number.
		const floats4 mean = average_numbers(joints, joint, 0);
		float *out = joints->out[joint].translation;
		memcpy(out, &mean, 2 * sizeof *out);
		out[2] = mean[2];
	}
}

LANES_TARGET void LANES_NAME(average_lanes_scales)(const struct average_joints *joints) {
	for (int joint = joints->first; joint < joints->end; joint++) {
		// With the rotation's last number before it.
		const size_t at = offsetof(struct transform, scale) - sizeof(float);
		const floats4 mean = average_numbers(joints, joint, at);
		float *out = joints->out[joint].scale;
		out[0] = mean[1];
		memcpy(out + 1, (const float *)&mean + 2, 2 * sizeof *out);
	}
}
