// {"reverse": P}: P with its clips backwards.
#include "pose/operations.h"

bool operation_reverse(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *pose = NULL;
	const struct member members[] = {
		{"reverse", MEMBER_ANY, &pose, .required = true},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	context->time.reversed = !context->time.reversed;
	const bool evaluated = pose_evaluate_into(context, pose, out, err);
	context->time.reversed = !context->time.reversed;
	return evaluated;
}
