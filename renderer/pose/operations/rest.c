// "rest": the node transforms in the file.
#include "pose/operations.h"

bool operation_rest(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	(void)value;
	(void)err;
	pose_set_rest(context->rig, DRIVEN_ALL, out);
	return true;
}
