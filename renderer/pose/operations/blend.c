// {"blend": [{"pose", "weight", "mask"}, ...], "rotation": mode}: the weighted average of poses.
#include <stdlib.h>

#include "base/memory.h"
#include "pose/blend/average.h"
#include "pose/blend/over.h"
#include "pose/operations.h"

struct blend {
	struct pose_context *context;
	struct average_input *inputs; // [count]
	struct pose_slot **slots; // [count] hold the poses and masks; NULL = not needed any more
	size_t count;
};

static bool read_weight(const struct value *place, double weight, struct error *err) {
	return !place || weight >= 0 ||
		value_error(place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be 0 or more", weight);
}

/* Reads one item and evaluates its pose, also of one that has no weight: what is wrong in it is
 * refused all the same. */
static bool read_input(
	struct blend *blend, size_t index, const struct value *item, struct error *err) {
	const struct value *pose = NULL, *mask = NULL, *weight_place = NULL;
	double weight = 1;
	const struct member members[] = {
		{"pose", MEMBER_ANY, &pose, .required = true},
		{"weight", MEMBER_NUMBER, &weight, .place = &weight_place},
		{"mask", MEMBER_ANY, &mask, .required = false},
	};
	struct pose_context *context = blend->context;
	if (!value_read_members(item, members, sizeof members / sizeof *members, err) ||
		!read_weight(weight_place, weight, err)) {
		return false;
	}
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!slot || !pose_evaluate_into(context, pose, &slot->pose, err) ||
		(mask && !mask_read(context->rig, mask, slot->mask, err))) {
		return false;
	}
	if (weight == 0) {
		pose_pool_give(&context->spare, slot);
		return true;
	}
	blend->slots[index] = slot;
	blend->inputs[index] = (struct average_input){
		.weight = weight, .pose = &slot->pose, .mask = mask ? slot->mask : NULL};
	return true;
}

static bool read_inputs(struct blend *blend, const struct value *list, struct error *err) {
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"blend\" must be a list of at least one {\"pose\", \"weight\", "
			"\"mask\"}");
	}
	blend->count = list->count;
	blend->inputs = xcalloc(list->count, sizeof *blend->inputs);
	blend->slots = xcalloc(list->count, sizeof(struct pose_slot *));
	for (size_t i = 0; i < list->count; i++) {
		if (!read_input(blend, i, &list->items[i], err)) {
			return false;
		}
	}
	return true;
}

bool operation_blend(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *list = NULL;
	int rotation = AVERAGE_NLERP;
	const struct member members[] = {
		{"blend", MEMBER_ANY, &list, .required = true},
		{"rotation", MEMBER_CHOICE, &rotation, .choices = average_names},
	};
	struct blend blend = {.context = context};
	const bool ok = value_read_members(value, members, sizeof members / sizeof *members, err) &&
		read_inputs(&blend, list, err);
	if (ok) {
		average_poses(context->rig, blend.inputs, blend.count,
			(enum average_rotation)rotation, out);
	}
	for (size_t i = 0; i < blend.count; i++) {
		pose_pool_give(&context->spare, blend.slots[i]);
	}
	free(blend.inputs);
	free(blend.slots);
	return ok;
}
