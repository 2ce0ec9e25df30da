// {"reverse": P}: P with its clips backwards.
#include "pose/operations.h"

static const struct member rows[] = {{"reverse", MEMBER_ANY, .required = true}};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_reverse(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	const struct value *pose = NULL;
	if (!value_read_table(value, &members, &pose, err)) {
		return false;
	}
	context->time.reversed = !context->time.reversed;
	const bool evaluated = pose_evaluate_into(context, pose, out, err);
	context->time.reversed = !context->time.reversed;
	return evaluated;
}

const struct operation operation_reverse = {"reverse", "a pose whose clips run backwards",
	evaluate_reverse, &members, .is_quick = true};
