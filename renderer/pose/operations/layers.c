// {"layers": [P, {"pose", "mode", "mask", "weight", ...}, ...]}: each pose over those before it.
#include <math.h>

#include "base/utf8.h"
#include "pose/blend/difference.h"
#include "pose/blend/over.h"
#include "pose/operations.h"

enum mode { MODE_REPLACE, MODE_ADD };

static const char *const modes[] = {[MODE_REPLACE] = "replace", [MODE_ADD] = "add", NULL};

struct layer {
	const struct value *source; // of the object
	const struct value *pose, *mask, *reference, *weight_source;
	double weight;
	int mode, space;
};

static bool check_weight(const struct layer *layer, struct error *err) {
	return layer->mode == MODE_ADD || layer->weight <= 1 ||
		value_error(layer->weight_source, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be from 0 to 1 where a layer replaces",
			layer->weight);
}

#define AT(field) offsetof(struct layer, field)

static const struct member layer_rows[] = {
	{"pose", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"mode", MEMBER_CHOICE, .offset = AT(mode), .choices = modes},
	{"mask", MEMBER_ANY, .offset = AT(mask), .members = &mask_members},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = INFINITY, .standard = 1,
		.source_offset = AT(weight_source)},
	{"reference", MEMBER_ANY, .offset = AT(reference)},
	{"space", MEMBER_CHOICE, .offset = AT(space), .choices = pose_space_names},
};

static const struct member_table layer_members = MEMBER_TABLE(NULL, layer_rows);

static bool read_layer(const struct value *item, struct layer *layer, struct error *err) {
	*layer = (struct layer){.source = item};
	if (!value_read_table(item, &layer_members, layer, err) || !check_weight(layer, err)) {
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
		return value_error(layer->source, err, ERROR_INVALID_VALUE,
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

struct request {
	const struct value *list;
	int rotation;
};

static const struct member rows[] = {
	{"layers", MEMBER_ANY, .offset = offsetof(struct request, list), .required = true,
		.members = &layer_members},
	{"rotation", MEMBER_CHOICE, .offset = offsetof(struct request, rotation),
		.choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_layers(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct value *list = request.list;
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"layers\" must be a list of a pose and layers {\"pose\", \"mode\", "
			"\"mask\", \"weight\", \"reference\", \"space\"}");
	}
	struct pose_slot *slots[2];
	for (int i = 0; i < 2; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	const bool ok =
		put_layers(context, list, slots, (enum average_rotation)request.rotation, out, err);
	pose_pool_give(&context->spare, slots[0]);
	pose_pool_give(&context->spare, slots[1]);
	return ok;
}

const struct operation operation_layers = {"layers",
	"poses laid over one another, each with a mask", evaluate_layers, &members,
	.is_quick = true};
