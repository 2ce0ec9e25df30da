// {"layers": [P, {"pose", "mode", "mask", "weight", ...}, ...]}: each pose over those before it.
#include "base/utf8.h"
#include "pose/blend/difference.h"
#include "pose/blend/over.h"
#include "pose/operations.h"

enum mode { MODE_REPLACE, MODE_ADD };

static const char *const modes[] = {[MODE_REPLACE] = "replace", [MODE_ADD] = "add", NULL};

struct layer {
	const struct value *place; // of the object
	const struct value *pose, *mask, *reference, *weight_place;
	double weight;
	int mode, space;
};

static bool check_weight(const struct layer *layer, struct error *err) {
	if (!(layer->weight >= 0)) {
		return value_error(layer->weight_place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be 0 or more", layer->weight);
	}
	return layer->mode == MODE_ADD || layer->weight <= 1 ||
		value_error(layer->weight_place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be from 0 to 1 where a layer replaces",
			layer->weight);
}

static bool read_layer(const struct value *item, struct layer *layer, struct error *err) {
	*layer = (struct layer){.place = item, .weight = 1};
	const struct member members[] = {
		{"pose", MEMBER_ANY, &layer->pose, .required = true},
		{"mode", MEMBER_CHOICE, &layer->mode, .choices = modes},
		{"mask", MEMBER_ANY, &layer->mask, .required = false},
		{"weight", MEMBER_NUMBER, &layer->weight, .place = &layer->weight_place},
		{"reference", MEMBER_ANY, &layer->reference, .required = false},
		{"space", MEMBER_CHOICE, &layer->space, .choices = pose_space_names},
	};
	if (!value_read_members(item, members, sizeof members / sizeof *members, err) ||
		!check_weight(layer, err)) {
		return false;
	}
	return layer->mode == MODE_ADD || !layer->reference ||
		value_error(layer->reference, err, ERROR_INVALID_VALUE,
			"\"reference\" goes with \"mode\": \"add\"");
}

static bool add(struct pose_context *context, const struct layer *layer,
	const struct pose_slot *slot, const struct pose *reference, struct pose *out,
	struct error *err) {
	const struct difference difference = {
		.pose = &slot->pose,
		.reference = reference,
		.weight = layer->weight,
		.mask = slot->mask,
		.form = layer->space == POSE_SPACE_MODEL ? DIFFERENCE_MODEL : DIFFERENCE_POST,
	};
	int joint;
	if (!difference_add(context->rig, &difference, out, &joint)) {
		char name[160];
		utf8_quote(context->rig->joints[joint].name, name, sizeof name);
		return value_error(layer->place, err, ERROR_INVALID_VALUE,
			"the layer takes joint %s farther than float32 reaches", name);
	}
	return true;
}

/* slots[0] is for the layer's pose and mask, slots[1] for its reference. */
static bool put_layer(struct pose_context *context, const struct value *item,
	struct pose_slot *const slots[static 2], enum average_rotation rotation, struct pose *out,
	struct error *err) {
	struct layer layer;
	struct pose_slot *slot = slots[0];
	if (!read_layer(item, &layer, err) ||
		!pose_evaluate_into(context, layer.pose, &slot->pose, err) ||
		!mask_read(context->rig, layer.mask, slot->mask, err)) {
		return false;
	}
	if (layer.mode == MODE_ADD) {
		return pose_evaluate_into(context, layer.reference, &slots[1]->pose, err) &&
			add(context, &layer, slot, &slots[1]->pose, out, err);
	}
	const struct over over = {
		.pose = &slot->pose,
		.weight = layer.weight,
		.mask = slot->mask,
		.rotation = rotation,
		.in_model = layer.space == POSE_SPACE_MODEL,
	};
	over_put(context->rig, &over, out);
	return true;
}

static bool put_layers(struct pose_context *context, const struct value *list,
	struct pose_slot *const slots[static 2], enum average_rotation rotation, struct pose *out,
	struct error *err) {
	if (!slots[0] || !slots[1] || !pose_evaluate_into(context, &list->items[0], out, err)) {
		return false;
	}
	for (size_t i = 1; i < list->count; i++) {
		if (!put_layer(context, &list->items[i], slots, rotation, out, err)) {
			return false;
		}
	}
	return true;
}

bool operation_layers(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *list = NULL;
	int rotation = AVERAGE_NLERP;
	const struct member members[] = {
		{"layers", MEMBER_ANY, &list, .required = true},
		{"rotation", MEMBER_CHOICE, &rotation, .choices = average_names},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"layers\" must be a list of a pose and layers {\"pose\", \"mode\", "
			"\"mask\", \"weight\", \"reference\", \"space\"}");
	}
	struct pose_slot *slots[2];
	for (int i = 0; i < 2; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	const bool ok = put_layers(context, list, slots, (enum average_rotation)rotation, out, err);
	pose_pool_give(&context->spare, slots[0]);
	pose_pool_give(&context->spare, slots[1]);
	return ok;
}
