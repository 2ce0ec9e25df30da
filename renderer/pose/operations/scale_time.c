// {"scale_time": P, "factor": 2}: P with its clips faster or slower.
#include <math.h>

#include "pose/operations.h"

bool operation_scale_time(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *pose = NULL, *place = NULL;
	double factor = 1;
	const struct member members[] = {
		{"scale_time", MEMBER_ANY, &pose, .required = true},
		{"factor", MEMBER_NUMBER, &factor, .required = true, .place = &place},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	if (!(factor >= 0)) {
		return value_error(place, err, ERROR_INVALID_VALUE,
			"\"factor\" is %.15g, must be 0 or more; \"reverse\" turns time round",
			factor);
	}
	const double speed = context->time.speed;
	context->time.speed = speed * factor;
	if (!isfinite(context->time.speed)) {
		context->time.speed = speed;
		return value_error(place, err, ERROR_INVALID_VALUE,
			"all factors together are farther than numbers reach");
	}
	const bool evaluated = pose_evaluate_into(context, pose, out, err);
	context->time.speed = speed;
	return evaluated;
}
