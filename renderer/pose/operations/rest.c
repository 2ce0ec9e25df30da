// "rest": the node transforms in the file.
#include "pose/operations.h"

static bool evaluate_rest(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	(void)value;
	(void)err;
	pose_set_rest(context->rig, DRIVEN_ALL, out);
	return true;
}

const struct operation operation_rest = {"rest", "the node transforms in the file", evaluate_rest,
	NULL, .is_quick = true, .is_string = true};
