// {"constraints": P}: P with the joints turned that an avatar ties to others.
#include "pose/avatar/constraints.h"

#include "pose/avatar/avatar_of.h"
#include "pose/operations.h"

static const struct member rows[] = {
	{"constraints", MEMBER_ANY, .required = true},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_constraints(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	const struct value *pose = NULL;
	return value_read_table(value, &members, &pose, err) &&
		avatar_of(context->rig, value, "\"constraints\"", err) &&
		pose_evaluate_into(context, pose, out, err) &&
		constraints_apply(context->rig, context->run, value, out, err);
}

const struct operation operation_constraints = {"constraints",
	"a pose with the joints turned that an avatar ties to others", evaluate_constraints,
	&members, .is_quick = true};
