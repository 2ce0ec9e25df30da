// "rest": the node transforms in the file.
#include "pose/operations.h"

bool operation_rest(const struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	(void)value;
	(void)err;
	*out = pose_rest(context->rig, context->arena);
	return true;
}
