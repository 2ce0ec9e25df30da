// Weighted averages of poses.
#include "pose/blend/average.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "base/quat.h"
#include "pose/blend/average_lanes.h"

const char *const average_names[AVERAGE_COUNT + 1] = {
	[AVERAGE_NLERP] = "nlerp",
	[AVERAGE_SLERP] = "slerp",
	[AVERAGE_MARKLEY] = "markley",
	[AVERAGE_KARCHER] = "karcher",
};

struct average {
	const struct rig *rig;
	const struct average_input *inputs; // [count]
	size_t count;
	enum average_rotation rotation;
	double *scaled;               // [count] the inputs' weights, the greatest between 1/2 and 1
	struct average_share *shares; // [count] room for one channel
	double *weights;              // [count] room for the rotations of one joint
	double (*rotations)[4];       // [count]
};

/* Brings the greatest weight to between 1/2 and 1, by a power of two, so that no sum overflows and
 * no product with a mask is lost. */
static void scale_weights(const struct average *average) {
	double greatest = 0;
	for (size_t i = 0; i < average->count; i++) {
		const struct average_input *input = &average->inputs[i];
		average->scaled[i] = input->pose ? input->weight : 0;
		greatest = fmax(greatest, average->scaled[i]);
	}
	int exponent;
	frexp(greatest, &exponent);
	for (size_t i = 0; i < average->count; i++) {
		average->scaled[i] = ldexp(average->scaled[i], -exponent);
	}
}

/* Collects the shares of those who have a say, weights made to sum to 1. Returns how many; 0 where
 * none of them drives the channel. */
static int collect(const struct average *average, int joint, enum channel_path path) {
	int count = 0;
	double sum = 0;
	bool any_drives = false;
	for (size_t i = 0; i < average->count; i++) {
		const struct average_input *input = &average->inputs[i];
		const bool drives =
			average->scaled[i] > 0 && (input->pose->driven[joint] >> path & 1) != 0;
		if (!drives && !(input->whole && average->scaled[i] > 0)) {
			continue;
		}
		const double mask = input->mask ? (double)input->mask[joint] : 1;
		const double weight = average->scaled[i] * mask;
		if (weight > 0) {
			average->shares[count++] = (struct average_share){weight, input->pose};
			sum += weight;
			any_drives = any_drives || drives;
		}
	}
	for (int i = 0; i < count; i++) {
		average->shares[i].weight /= sum;
	}
	return any_drives ? count : 0;
}

static const float *share_numbers(
	const struct average *average, int share, int joint, enum channel_path path) {
	int width;
	return pose_channel(average->rig, average->shares[share].pose, joint, path, &width);
}

static void average_weights(
	const struct average *average, int count, int joint, int width, float *out) {
	for (int k = 0; k < width; k++) {
		double sum = 0;
		for (int i = 0; i < count; i++) {
			const float *numbers = share_numbers(average, i, joint, CHANNEL_WEIGHTS);
			sum += average->shares[i].weight * numbers[k];
		}
		out[k] = (float)sum;
	}
}

/* METHODS C.6, pairwise: each next one by its part of what has been seen so far. */
static void average_in_order(
	const double (*rotations)[4], const double *weights, int count, double out[static 4]) {
	double seen = weights[0];
	memcpy(out, rotations[0], sizeof *rotations);
	for (int i = 1; i < count; i++) {
		seen += weights[i];
		quat_slerp(out, rotations[i], weights[i] / seen, out);
	}
}

void average_rotations(enum average_rotation way, const double (*rotations)[4],
	const double *weights, int count, double out[static 4]) {
	int greatest = 0;
	for (int i = 1; i < count; i++) {
		greatest = weights[i] > weights[greatest] ? i : greatest;
	}
	switch (way) {
	case AVERAGE_SLERP:
		average_in_order(rotations, weights, count, out);
		return;
	case AVERAGE_MARKLEY:
		quat_average_eigen(rotations, weights, count, greatest, out);
		return;
	case AVERAGE_KARCHER:
		quat_average_arcs(rotations, weights, count, greatest, out);
		return;
	case AVERAGE_NLERP:
	case AVERAGE_COUNT:
		break;
	}
	quat_average(rotations, weights, count, greatest, out);
}

static void average_rotation(const struct average *average, int count, int joint, float *out) {
	for (int i = 0; i < count; i++) {
		const float *numbers = share_numbers(average, i, joint, CHANNEL_ROTATION);
		for (int k = 0; k < 4; k++) {
			average->rotations[i][k] = numbers[k];
		}
		quat_normalize(average->rotations[i]);
		average->weights[i] = average->shares[i].weight;
	}
	double mean[4];
	average_rotations(average->rotation, (const double(*)[4])average->rotations,
		average->weights, count, mean);
	for (int k = 0; k < 4; k++) {
		out[k] = (float)mean[k];
	}
}

static void copy_weights(
	const struct average *average, int count, int joint, const struct pose *out) {
	const struct joint *at = &average->rig->joints[joint];
	const float *weights =
		count == 0 ? average->rig->rest_weights : average->shares[0].pose->weights;
	for (int i = at->first_weight; i < at->first_weight + at->weight_count; i++) {
		out->weights[i] = weights[i];
	}
}

/* Nobody has a share, or one input alone. */
static void copy_run(const struct average *average, int count, enum channel_path path, int first,
	int end, struct pose *out) {
	for (int joint = first; joint < end; joint++) {
		const struct transform *from = count == 0 ? &average->rig->joints[joint].rest
							  : &average->shares[0].pose->local[joint];
		struct transform *local = &out->local[joint];
		switch (path) {
		case CHANNEL_TRANSLATION:
			memmove(local->translation, from->translation, sizeof local->translation);
			break;
		case CHANNEL_ROTATION:
			memmove(local->rotation, from->rotation, sizeof local->rotation);
			break;
		case CHANNEL_SCALE:
			memmove(local->scale, from->scale, sizeof local->scale);
			break;
		case CHANNEL_WEIGHTS:
			copy_weights(average, count, joint, out);
			break;
		}
	}
}

static void average_rotation_run(
	const struct average *average, struct average_joints joints, struct pose *out) {
	const bool series = average->rotation == AVERAGE_NLERP, wide = LANES_CPU_HAS_AVX2();
	while (joints.first < joints.end) {
		if (series) {
			joints.first = (wide ? average_lanes_rotations_avx2
					     : average_lanes_rotations)(&joints);
		}
		// Others than nlerp, and what has no average, go joint by joint.
		for (int i = 0; i < AVERAGE_LANES && joints.first < joints.end; i++) {
			average_rotation(average, joints.share_count, joints.first,
				out->local[joints.first].rotation);
			joints.first++;
		}
	}
}

/* The share of the greatest weight, the first of several. */
static int find_reference(const struct average *average, int count) {
	int greatest = 0;
	for (int i = 1; i < count; i++) {
		if (average->shares[i].weight > average->shares[greatest].weight) {
			greatest = i;
		}
	}
	return greatest;
}

/* Averages a channel of joints of which the inputs say the same. Returns the channel's bit where
 * somebody drives it. */
static unsigned average_run(const struct average *average, enum channel_path path, int first,
	int end, struct pose *out) {
	const int count = collect(average, first, path);
	if (count <= 1) {
		copy_run(average, count, path, first, end, out);
		return count > 0 ? 1U << path : 0;
	}
	const bool wide = LANES_CPU_HAS_AVX2();
	const struct average_joints joints = {
		average->shares, count, find_reference(average, count), first, end, out->local};
	switch (path) {
	case CHANNEL_TRANSLATION:
		(wide ? average_lanes_translations_avx2 : average_lanes_translations)(&joints);
		break;
	case CHANNEL_ROTATION:
		average_rotation_run(average, joints, out);
		break;
	case CHANNEL_SCALE:
		(wide ? average_lanes_scales_avx2 : average_lanes_scales)(&joints);
		break;
	case CHANNEL_WEIGHTS:
		for (int joint = first; joint < end; joint++) {
			int width;
			float *numbers = pose_channel(average->rig, out, joint, path, &width);
			average_weights(average, count, joint, width, numbers);
		}
		break;
	}
	return 1U << path;
}

/* The end of the bytes that equal those at the start. */
static int end_of_same(const unsigned char *bytes, int first, int end) {
	const uint64_t all = bytes[first] * UINT64_C(0x0101010101010101);
	uint64_t some;
	int at = first + 1;
	for (; at + (int)sizeof some <= end; at += (int)sizeof some) {
		memcpy(&some, bytes + at, sizeof some);
		if (some != all) {
			break;
		}
	}
	while (at < end && bytes[at] == bytes[first]) {
		at++;
	}
	return at;
}

/* The end of the joints for which an input drives the same channels with the same mask as for the
 * first. */
static int end_of_run(const struct average_input *input, int first, int end) {
	end = end_of_same(input->pose->driven, first, end);
	for (int joint = first + 1; input->mask && joint < end; joint++) {
		if (input->mask[joint] != input->mask[first]) {
			end = joint;
		}
	}
	return end;
}

static int find_run(const struct average *average, int first) {
	int end = average->rig->joint_count;
	for (size_t i = 0; i < average->count; i++) {
		if (average->scaled[i] > 0) {
			end = end_of_run(&average->inputs[i], first, end);
		}
	}
	return end;
}

/* The poses that have a share at joints of which the inputs say the same, that of the greatest
 * weight first. False where they are not few or some has a say in a channel that others have not.
 * What no pose drives is the same in all of them. */
static bool collect_whole(
	const struct average *average, int joint, struct average_whole *whole, unsigned *driven) {
	unsigned some = 0, every = DRIVEN_TRANSFORM;
	double weights[AVERAGE_WHOLE_MAX], sum = 0;
	int greatest = 0;
	whole->count = 0;
	for (size_t i = 0; i < average->count; i++) {
		const struct average_input *input = &average->inputs[i];
		const double mask = input->mask ? (double)input->mask[joint] : 1;
		const double weight = average->scaled[i] * mask;
		if (!(weight > 0)) {
			continue;
		}
		if (whole->count == AVERAGE_WHOLE_MAX) {
			return false;
		}
		some |= input->pose->driven[joint];
		every &= input->whole ? DRIVEN_TRANSFORM : input->pose->driven[joint];
		whole->local[whole->count] = input->pose->local;
		weights[whole->count] = weight;
		greatest = weight > weights[greatest] ? whole->count : greatest;
		sum += weight;
		whole->count++;
	}
	if (whole->count < 2 || (some & DRIVEN_TRANSFORM & ~every) != 0) {
		return false;
	}
	for (int i = 0; i < whole->count; i++) {
		whole->weights[i] = (float)(weights[i] / sum);
	}
	const struct transform *local = whole->local[greatest];
	const float weight = whole->weights[greatest];
	whole->local[greatest] = whole->local[0];
	whole->weights[greatest] = whole->weights[0];
	whole->local[0] = local;
	whole->weights[0] = weight;
	whole->turns = (some >> CHANNEL_ROTATION & 1) != 0;
	*driven = some & DRIVEN_TRANSFORM;
	return true;
}

/* The channels of joints of which the inputs say the same, but for morph weights. Returns the bits
 * of those that somebody drives. */
static unsigned average_channels(
	const struct average *average, int first, int end, struct pose *out) {
	return average_run(average, CHANNEL_TRANSLATION, first, end, out) |
		average_run(average, CHANNEL_ROTATION, first, end, out) |
		average_run(average, CHANNEL_SCALE, first, end, out);
}

static unsigned average_transforms(
	const struct average *average, int first, int end, struct pose *out) {
	struct average_whole whole = {.first = first, .end = end, .out = out->local};
	unsigned driven;
	if (average->rotation != AVERAGE_NLERP || !collect_whole(average, first, &whole, &driven)) {
		return average_channels(average, first, end, out);
	}
	const bool wide = LANES_CPU_HAS_AVX2();
	while (whole.first < end) {
		const int stopped = (wide ? average_whole_run_avx2 : average_whole_run)(&whole);
		whole.first = stopped < end - AVERAGE_BLOCK ? stopped + AVERAGE_BLOCK : end;
		if (stopped < end) {
			average_channels(average, stopped, whole.first, out);
		}
	}
	return driven;
}

/* Ways, each from where its own pose is: METHODS C.13. */
static struct pose_root average_roots(const struct average *average) {
	struct pose_root mean = {0};
	double sum = 0;
	for (size_t i = 0; i < average->count; i++) {
		const struct average_input *input = &average->inputs[i];
		if (!(average->scaled[i] > 0) || !input->pose->root.carried) {
			continue;
		}
		const struct pose_root *root = &input->pose->root;
		const double mask = input->mask ? (double)input->mask[root->joint] : 1;
		const double weight = average->scaled[i] * mask;
		if (!(weight > 0)) {
			continue;
		}
		mean.joint = mean.carried ? mean.joint : root->joint;
		mean.carried = true;
		mean.turns = mean.turns || root->turns;
		sum += weight;
		for (int k = 0; k < 3; k++) {
			const double from = mean.motion.translation[k];
			mean.motion.translation[k] +=
				weight / sum * (root->motion.translation[k] - from);
		}
		mean.motion.yaw_rad += weight / sum * (root->motion.yaw_rad - mean.motion.yaw_rad);
	}
	return mean;
}

static void average_joints(const struct average *average, struct pose *out) {
	const struct rig *rig = average->rig;
	const bool morphing = rig->weight_count > 0;
	for (int first = 0, end; first < rig->joint_count; first = end) {
		end = find_run(average, first);
		const unsigned transforms = average_transforms(average, first, end, out);
		const unsigned weights =
			morphing ? average_run(average, CHANNEL_WEIGHTS, first, end, out) : 0;
		memset(out->driven + first, (int)transforms, (size_t)(end - first));
		for (int joint = first; weights != 0 && joint < end; joint++) {
			if (rig->joints[joint].weight_count > 0) {
				out->driven[joint] |= (unsigned char)weights;
			}
		}
	}
}

/* Inputs that the average of needs no memory but the stack. */
#define FEW 8

void average_poses(const struct rig *rig, const struct average_input *inputs, size_t count,
	enum average_rotation rotation, struct pose *out) {
	struct average_share few_shares[FEW], *many_shares = NULL;
	double few_numbers[6 * FEW], *many_numbers = NULL;
	if (count > FEW) {
		many_shares = xcalloc(count, sizeof *many_shares);
		many_numbers = xcalloc(count, 6 * sizeof *many_numbers);
	}
	double *numbers = many_numbers ? many_numbers : few_numbers;
	struct average average = {
		.rig = rig,
		.inputs = inputs,
		.count = count,
		.rotation = rotation,
		.scaled = numbers,
		.shares = many_shares ? many_shares : few_shares,
		.weights = numbers + count,
		.rotations = (double(*)[4])(numbers + 2 * count),
	};
	scale_weights(&average);
	const struct pose_root root = average_roots(&average);
	average_joints(&average, out);
	out->root = root;
	free(many_shares);
	free(many_numbers);
}
