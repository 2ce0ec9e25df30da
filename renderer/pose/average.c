// Weighted averages of poses.
#include "pose/average.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/quat_average.h"

const char *const average_names[AVERAGE_COUNT + 1] = {
	[AVERAGE_NLERP] = "nlerp",
	[AVERAGE_SLERP] = "slerp",
	[AVERAGE_MARKLEY] = "markley",
	[AVERAGE_KARCHER] = "karcher",
};

/* What one input brings to one channel of one joint. */
struct share {
	double weight; // > 0; before the average they are made to sum to 1
	const float *numbers;
};

struct average {
	const struct rig *rig;
	const struct average_input *inputs; // [count]
	size_t count;
	enum average_rotation rotation;
	double *scaled;         // [count] the inputs' weights, the greatest between 1/2 and 1
	struct share *shares;   // [count] room for one channel
	double *weights;        // [count] room for the rotations of one joint
	double (*rotations)[4]; // [count]
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
	int count = 0, width;
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
			const float *numbers =
				pose_channel(average->rig, input->pose, joint, path, &width);
			average->shares[count++] = (struct share){weight, numbers};
			sum += weight;
			any_drives = any_drives || drives;
		}
	}
	for (int i = 0; i < count; i++) {
		average->shares[i].weight /= sum;
	}
	return any_drives ? count : 0;
}

static void average_numbers(const struct average *average, int count, int width, float *out) {
	for (int k = 0; k < width; k++) {
		double sum = 0;
		for (int i = 0; i < count; i++) {
			sum += average->shares[i].weight * average->shares[i].numbers[k];
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

static void average_shares(const struct average *average, int count, float *out) {
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 4; k++) {
			average->rotations[i][k] = average->shares[i].numbers[k];
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

static const float *rest_numbers(const struct rig *rig, int joint, enum channel_path path) {
	const struct joint *at = &rig->joints[joint];
	switch (path) {
	case CHANNEL_TRANSLATION:
		return at->rest.translation;
	case CHANNEL_ROTATION:
		return at->rest.rotation;
	case CHANNEL_SCALE:
		return at->rest.scale;
	case CHANNEL_WEIGHTS:
		break;
	}
	return rig->rest_weights + at->first_weight;
}

/* Returns the channel's bit where somebody drives it. */
static unsigned average_channel(
	const struct average *average, int joint, enum channel_path path, struct pose *out) {
	const int count = collect(average, joint, path);
	int width;
	float *numbers = pose_channel(average->rig, out, joint, path, &width);
	if (count <= 1) {
		const float *lone = count == 0 ? rest_numbers(average->rig, joint, path)
					       : average->shares[0].numbers;
		memmove(numbers, lone, (size_t)width * sizeof *numbers);
	} else if (path == CHANNEL_ROTATION) {
		average_shares(average, count, numbers);
	} else {
		average_numbers(average, count, width, numbers);
	}
	return count > 0 ? 1U << path : 0;
}

void average_poses(const struct rig *rig, const struct average_input *inputs, size_t count,
	enum average_rotation rotation, struct arena *arena, struct pose *out) {
	struct average average = {
		.rig = rig,
		.inputs = inputs,
		.count = count,
		.rotation = rotation,
		.scaled = arena_alloc(arena, count, sizeof *average.scaled),
		.shares = arena_alloc(arena, count, sizeof *average.shares),
		.weights = arena_alloc(arena, count, sizeof *average.weights),
		.rotations = arena_alloc(arena, count, sizeof *average.rotations),
	};
	scale_weights(&average);
	for (int joint = 0; joint < rig->joint_count; joint++) {
		unsigned driven = 0;
		driven |= average_channel(&average, joint, CHANNEL_TRANSLATION, out);
		driven |= average_channel(&average, joint, CHANNEL_ROTATION, out);
		driven |= average_channel(&average, joint, CHANNEL_SCALE, out);
		if (rig->joints[joint].weight_count > 0) {
			driven |= average_channel(&average, joint, CHANNEL_WEIGHTS, out);
		}
		out->driven[joint] = (unsigned char)driven;
	}
}
