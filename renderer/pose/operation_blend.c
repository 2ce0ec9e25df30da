// {"blend": [{"pose", "weight", "mask"}, ...], "rotation": mode}: the weighted average of poses.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "pose/mask.h"
#include "pose/operations.h"

enum average {
	AVERAGE_NLERP, // one weighted sum, normalised; the order does not matter
	AVERAGE_SLERP, // pair by pair along the arcs, in the order given
};

/* One item of the list. */
struct input {
	double weight;          // >= 0
	struct pose_slot *slot; // the pose and its mask; NULL = it has no say, its weight is 0
};

/* What one input brings to one channel of one joint. */
struct share {
	double weight; // > 0; before the average they are made to sum to 1
	const float *numbers;
};

struct blend {
	struct pose_context *context;
	enum average average;
	struct input *inputs; // [count]
	size_t count;
	struct share *shares;   // [count] room for one channel
	double *weights;        // [count] room for the rotations of one joint
	double (*rotations)[4]; // [count]
};

static bool read_weight(const struct value *place, double weight, struct error *err) {
	return !place || weight >= 0 ||
		value_error(place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be 0 or more", weight);
}

/* Reads one item and evaluates its pose, also of one that has no weight: what is wrong in it is
 * refused all the same. */
static bool read_input(
	struct blend *blend, const struct value *item, struct input *input, struct error *err) {
	const struct value *pose = NULL, *mask = NULL, *weight_place = NULL;
	input->weight = 1;
	const struct member members[] = {
		{"pose", MEMBER_ANY, &pose, .required = true},
		{"weight", MEMBER_NUMBER, &input->weight, .place = &weight_place},
		{"mask", MEMBER_ANY, &mask, .required = false},
	};
	struct pose_context *context = blend->context;
	if (!value_read_members(item, members, sizeof members / sizeof *members, err) ||
		!read_weight(weight_place, input->weight, err)) {
		return false;
	}
	input->slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!input->slot || !pose_evaluate_into(context, pose, &input->slot->pose, err) ||
		!mask_read(context->rig, mask, input->slot->mask, err)) {
		return false;
	}
	if (input->weight == 0) {
		pose_pool_give(&context->spare, input->slot);
		input->slot = NULL;
	}
	return true;
}

static bool read_inputs(struct blend *blend, const struct value *list, struct error *err) {
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"blend\" must be a list of at least one {\"pose\", \"weight\", "
			"\"mask\"}");
	}
	struct arena *arena = blend->context->arena;
	blend->count = list->count;
	blend->inputs = arena_alloc(arena, list->count, sizeof *blend->inputs);
	for (size_t i = 0; i < list->count; i++) {
		if (!read_input(blend, &list->items[i], &blend->inputs[i], err)) {
			return false;
		}
	}
	blend->shares = arena_alloc(arena, list->count, sizeof *blend->shares);
	blend->weights = arena_alloc(arena, list->count, sizeof *blend->weights);
	blend->rotations = arena_alloc(arena, list->count, sizeof *blend->rotations);
	return true;
}

/* Brings the greatest weight to between 1/2 and 1, by a power of two, so that no sum overflows and
 * no product with a mask is lost. */
static void scale_weights(struct blend *blend) {
	double greatest = 0;
	for (size_t i = 0; i < blend->count; i++) {
		greatest = fmax(greatest, blend->inputs[i].weight);
	}
	int exponent;
	frexp(greatest, &exponent);
	for (size_t i = 0; i < blend->count; i++) {
		blend->inputs[i].weight = ldexp(blend->inputs[i].weight, -exponent);
	}
}

/* Collects the shares of those who have a say, weights made to sum to 1. Returns how many. */
static int collect(const struct blend *blend, int joint, enum channel_path path) {
	int count = 0, width;
	double sum = 0;
	for (size_t i = 0; i < blend->count; i++) {
		const struct pose_slot *slot = blend->inputs[i].slot;
		if (!slot || (slot->pose.driven[joint] >> path & 1) == 0) {
			continue;
		}
		const double weight = blend->inputs[i].weight * (double)slot->mask[joint];
		if (weight > 0) {
			const float *numbers =
				pose_channel(blend->context->rig, &slot->pose, joint, path, &width);
			blend->shares[count++] = (struct share){weight, numbers};
			sum += weight;
		}
	}
	for (int i = 0; i < count; i++) {
		blend->shares[i].weight /= sum;
	}
	return count;
}

static void average_numbers(const struct blend *blend, int count, int width, float *out) {
	for (int k = 0; k < width; k++) {
		double sum = 0;
		for (int i = 0; i < count; i++) {
			sum += blend->shares[i].weight * blend->shares[i].numbers[k];
		}
		out[k] = (float)sum;
	}
}

/* METHODS C.6, pairwise: each next one by its part of what has been seen so far. */
static void average_in_order(const struct blend *blend, int count, double out[static 4]) {
	double seen = blend->weights[0];
	memcpy(out, blend->rotations[0], sizeof *blend->rotations);
	for (int i = 1; i < count; i++) {
		seen += blend->weights[i];
		quat_slerp(out, blend->rotations[i], blend->weights[i] / seen, out);
	}
}

static void average_rotations(const struct blend *blend, int count, float *out) {
	int greatest = 0;
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 4; k++) {
			blend->rotations[i][k] = blend->shares[i].numbers[k];
		}
		quat_normalize(blend->rotations[i]);
		blend->weights[i] = blend->shares[i].weight;
		if (blend->weights[i] > blend->weights[greatest]) {
			greatest = i;
		}
	}
	double average[4];
	if (blend->average == AVERAGE_SLERP) {
		average_in_order(blend, count, average);
	} else {
		quat_average((const double(*)[4])blend->rotations, blend->weights, count, greatest,
			average);
	}
	for (int k = 0; k < 4; k++) {
		out[k] = (float)average[k];
	}
}

/* Averages one channel into out, which rests. Numbers that nobody else has a say in are taken over
 * to the bit. */
static void blend_channel(
	const struct blend *blend, int joint, enum channel_path path, struct pose *out) {
	const int count = collect(blend, joint, path);
	if (count == 0) {
		return;
	}
	int width;
	float *numbers = pose_channel(blend->context->rig, out, joint, path, &width);
	if (count == 1) {
		memcpy(numbers, blend->shares[0].numbers, (size_t)width * sizeof *numbers);
	} else if (path == CHANNEL_ROTATION) {
		average_rotations(blend, count, numbers);
	} else {
		average_numbers(blend, count, width, numbers);
	}
	out->driven[joint] |= (unsigned char)(1 << path);
}

bool operation_blend(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	static const char *const averages[] = {
		[AVERAGE_NLERP] = "nlerp", [AVERAGE_SLERP] = "slerp", NULL};
	const struct value *list = NULL;
	int average = AVERAGE_NLERP;
	const struct member members[] = {
		{"blend", MEMBER_ANY, &list, .required = true},
		{"rotation", MEMBER_CHOICE, &average, .choices = averages},
	};
	struct blend blend = {.context = context};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err) ||
		!read_inputs(&blend, list, err)) {
		return false;
	}
	blend.average = (enum average)average;
	scale_weights(&blend);
	pose_set_rest(context->rig, 0, out);
	for (int joint = 0; joint < context->rig->joint_count; joint++) {
		blend_channel(&blend, joint, CHANNEL_TRANSLATION, out);
		blend_channel(&blend, joint, CHANNEL_ROTATION, out);
		blend_channel(&blend, joint, CHANNEL_SCALE, out);
		if (context->rig->joints[joint].weight_count > 0) {
			blend_channel(&blend, joint, CHANNEL_WEIGHTS, out);
		}
	}
	for (size_t i = 0; i < blend.count; i++) {
		pose_pool_give(&context->spare, blend.inputs[i].slot);
	}
	return true;
}
