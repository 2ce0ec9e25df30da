// {"blend": [{"pose", "weight", "mask"}, ...], "rotation": mode}: the weighted average of poses.
#include <math.h>
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

struct request {
	const struct value *list;
	int rotation;
};

/* An item of the list. */
struct item {
	const struct value *pose, *mask;
	double weight;
};

static const struct member item_rows[] = {
	{"pose", MEMBER_ANY, .offset = offsetof(struct item, pose), .required = true},
	{"weight", MEMBER_NUMBER, .offset = offsetof(struct item, weight), .most = INFINITY,
		.standard = 1},
	{"mask", MEMBER_ANY, .offset = offsetof(struct item, mask), .members = &mask_members},
};

static const struct member_table item_members = MEMBER_TABLE(NULL, item_rows);

static const struct member rows[] = {
	{"blend", MEMBER_ANY, .offset = offsetof(struct request, list), .required = true,
		.members = &item_members},
	{"rotation", MEMBER_CHOICE, .offset = offsetof(struct request, rotation),
		.choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

/* Reads one item and evaluates its pose, also of one that has no weight: what is wrong in it is
 * refused all the same. */
static bool read_input(
	struct blend *blend, size_t index, const struct value *value, struct error *err) {
	struct item item = {0};
	struct pose_context *context = blend->context;
	if (!value_read_table(value, &item_members, &item, err)) {
		return false;
	}
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!slot || !pose_evaluate_into(context, item.pose, &slot->pose, err) ||
		(item.mask && !mask_read(context->rig, item.mask, slot->mask, err))) {
		return false;
	}
	if (item.weight == 0) {
		pose_pool_give(&context->spare, slot);
		return true;
	}
	blend->slots[index] = slot;
	blend->inputs[index] = (struct average_input){
		.weight = item.weight, .pose = &slot->pose, .mask = item.mask ? slot->mask : NULL};
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

static bool evaluate_blend(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	struct blend blend = {.context = context};
	const bool ok = value_read_table(value, &members, &request, err) &&
		read_inputs(&blend, request.list, err);
	if (ok) {
		average_poses(context->rig, blend.inputs, blend.count,
			(enum average_rotation)request.rotation, out);
	}
	for (size_t i = 0; i < blend.count; i++) {
		pose_pool_give(&context->spare, blend.slots[i]);
	}
	free(blend.inputs);
	free(blend.slots);
	return ok;
}

const struct operation operation_blend = {
	"blend", "the weighted average of poses", evaluate_blend, &members, .is_quick = true};
