// {"scale_time": P, "factor": 2}: P with its clips faster or slower.
#include <math.h>

#include "pose/operations.h"

struct request {
	const struct value *pose, *source; // of the factor
	double factor;
};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"scale_time", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"factor", MEMBER_NUMBER, .offset = AT(factor), .required = true, .most = INFINITY,
		.source_offset = AT(source)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_scale_time(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const double speed = context->time.speed;
	context->time.speed = speed * request.factor;
	if (!isfinite(context->time.speed)) {
		context->time.speed = speed;
		return value_error(request.source, err, ERROR_INVALID_VALUE,
			"all factors together are farther than numbers reach");
	}
	const bool evaluated = pose_evaluate_into(context, request.pose, out, err);
	context->time.speed = speed;
	return evaluated;
}

const struct operation operation_scale_time = {"scale_time",
	"a pose whose clips run faster or slower", evaluate_scale_time, &members, .is_quick = true};
