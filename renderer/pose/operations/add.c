// {"add": P, "to": Q, "reference": R, "weight": w}: the difference from R to P put on top of Q.
#include <math.h>

#include "base/utf8.h"
#include "pose/blend/difference.h"
#include "pose/blend/over.h"
#include "pose/operations.h"

enum order { ORDER_POST, ORDER_PRE };

static const char *const orders[] = {[ORDER_POST] = "post", [ORDER_PRE] = "pre", NULL};

/* The members. */
struct addition {
	const struct value *places[2]; // the pose and its reference, which may be NULL
	const struct value *to, *mask, *weight_source, *order_source;
	double weight;
	int order, space;
	enum difference_form form;
};

static bool read_form(struct addition *addition, struct error *err) {
	if (addition->space == POSE_SPACE_LOCAL) {
		addition->form = addition->order == ORDER_PRE ? DIFFERENCE_PRE : DIFFERENCE_POST;
		return true;
	}
	addition->form = DIFFERENCE_MODEL;
	return !addition->order_source || addition->order == ORDER_PRE ||
		value_error(addition->order_source, err, ERROR_INVALID_VALUE,
			"in the model's space the order is \"pre\"");
}

#define AT(field) offsetof(struct addition, field)

static const struct member rows[] = {
	{"add", MEMBER_ANY, .offset = AT(places[0]), .required = true},
	{"to", MEMBER_ANY, .offset = AT(to), .required = true},
	{"reference", MEMBER_ANY, .offset = AT(places[1])},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = INFINITY, .standard = 1,
		.source_offset = AT(weight_source)},
	{"mask", MEMBER_ANY, .offset = AT(mask), .members = &mask_members},
	{"order", MEMBER_CHOICE, .offset = AT(order), .choices = orders,
		.source_offset = AT(order_source)},
	{"space", MEMBER_CHOICE, .offset = AT(space), .choices = pose_space_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read(const struct value *value, struct addition *addition, struct error *err) {
	return value_read_table(value, &members, addition, err) && read_form(addition, err);
}

/* The poses that are added, evaluated in slots that are given back in any case. */
static bool add(struct pose_context *context, const struct addition *addition,
	struct pose_slot *const slots[static 2], struct pose *out, struct error *err) {
	for (int i = 0; i < 2; i++) {
		if (!slots[i] ||
			!pose_evaluate_into(context, addition->places[i], &slots[i]->pose, err)) {
			return false;
		}
	}
	if (!mask_read(context->rig, addition->mask, slots[0]->mask, err)) {
		return false;
	}
	const struct difference difference = {
		.pose = &slots[0]->pose,
		.reference = &slots[1]->pose,
		.weight = addition->weight,
		.mask = addition->mask ? slots[0]->mask : NULL,
		.form = addition->form,
	};
	int joint;
	if (!difference_add(context->rig, &difference, out, &joint)) {
		char name[160];
		utf8_quote(context->rig->joints[joint].name, name, sizeof name);
		return value_error(addition->weight_source ? addition->weight_source
							   : addition->places[0]->parent,
			err, ERROR_INVALID_VALUE,
			"the difference takes joint %s farther than float32 reaches", name);
	}
	return true;
}

static bool evaluate_add(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	struct addition addition = {0};
	if (!read(value, &addition, err) || !pose_evaluate_into(context, addition.to, out, err)) {
		return false;
	}
	struct pose_slot *slots[2];
	for (int i = 0; i < 2; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	const bool ok = add(context, &addition, slots, out, err);
	pose_pool_give(&context->spare, slots[0]);
	pose_pool_give(&context->spare, slots[1]);
	return ok;
}

const struct operation operation_add = {"add", "the difference of two poses put on top of a third",
	evaluate_add, &members, .is_quick = true};
