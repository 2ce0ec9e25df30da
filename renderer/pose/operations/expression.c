// {"expression": {"happy": 0.8}, "to": P}: P with an avatar's face changed.
#include "pose/avatar/expressions.h"

#include <stdio.h>

#include "base/utf8.h"
#include "pose/avatar/avatar_of.h"
#include "pose/operations.h"

struct request {
	const struct value *expressions, *pose;
};

static const struct member rows[] = {
	{"expression", MEMBER_ANY, .offset = offsetof(struct request, expressions),
		.required = true},
	{"to", MEMBER_ANY, .offset = offsetof(struct request, pose)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool refuse_name(
	const struct avatar *avatar, const struct value *member, struct error *err) {
	char name[160], known[512] = "none";
	size_t used = 0;
	for (int i = 0; i < avatar->expression_count && used < sizeof known; i++) {
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
			avatar->expressions[i].name);
	}
	if (used >= sizeof known) {
		utf8_trim(known);
	}
	utf8_quote(member->key, name, sizeof name);
	return value_error(member, err, ERROR_INVALID_VALUE,
		"no expression %s; those of this avatar are: %s", name, known);
}

static bool read_weight(const struct avatar *avatar, const struct value *member, float *weights,
	struct error *err) {
	const int at = expression_find(avatar, member->key);
	if (at < 0) {
		return refuse_name(avatar, member, err);
	}
	if (member->kind != VALUE_NUMBER) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"the weight of an expression is %s, must be a number",
			value_kind_name(member->kind));
	}
	weights[at] = member->number > 0 ? member->number < 1 ? (float)member->number : 1 : 0;
	return true;
}

static bool read_weights(const struct avatar *avatar, const struct value *object, float *weights,
	struct error *err) {
	if (object->kind != VALUE_OBJECT) {
		return value_error(object, err, ERROR_INVALID_VALUE,
			"\"expression\" is %s, must be an object whose members are expressions",
			value_kind_name(object->kind));
	}
	for (size_t i = 0; i < object->count; i++) {
		if (!read_weight(avatar, &object->items[i], weights, err)) {
			return false;
		}
	}
	return true;
}

static bool evaluate_expression(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	const struct avatar *avatar = NULL;
	if (value_read_table(value, &members, &request, err)) {
		avatar = avatar_of(context->rig, value, "\"expression\"", err);
	}
	if (!avatar || !pose_evaluate_into(context, request.pose, out, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	float *weights =
		arena_alloc(scratch, (size_t)avatar->expression_count + 1, sizeof *weights);
	expressions_of_pose(context->rig, out, weights);
	const bool ok = read_weights(avatar, request.expressions, weights, err);
	if (ok) {
		expressions_apply(context->rig, weights, out);
	}
	arena_destroy(scratch);
	return ok;
}

const struct operation operation_expression = {"expression", "a pose with an avatar's face changed",
	evaluate_expression, &members, .is_quick = true};
