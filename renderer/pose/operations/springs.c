/* {"springs": P, "seconds": s, "rate": r}: P with its spring bones at rest, or as they swing after
 * so many seconds. */
#include "pose/avatar/springs.h"

#include <math.h>

#include "pose/avatar/avatar_of.h"
#include "pose/operations.h"

/* Seconds that springs may swing for: most hang still after three. */
#define SECONDS_MAX 60

struct request {
	const struct value *pose, *seconds_source;
	double seconds, rate_hz;
};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"springs", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"seconds", MEMBER_NUMBER, .offset = AT(seconds), .most = SECONDS_MAX, .above_min = true,
		.source_offset = AT(seconds_source)},
	{"rate", MEMBER_NUMBER, .offset = AT(rate_hz), .least = 1, .most = 1000, .standard = 60},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

/* The pose so many seconds before the one that is asked for. */
static bool evaluate_before(struct pose_context *context, const struct value *pose, double before_s,
	struct pose *out, struct error *err) {
	const struct pose_time time = context->time;
	if (!time.looks_back) {
		context->time.looks_back = true;
		context->time.now_s = time.clock_s;
	}
	const bool evaluated = pose_evaluate_later(context, pose, -before_s, out, err);
	context->time = time;
	return evaluated;
}

/* Steps up to the pose, which out is at the end. */
static bool swing(struct pose_context *context, const struct request *request,
	struct springs *springs, const struct springs_payer *payer, struct pose *out,
	struct error *err) {
	const double step_s = 1 / request->rate_hz;
	const int steps = (int)ceil(request->seconds * request->rate_hz - 1e-6);
	bool ok = evaluate_before(context, request->pose, steps * step_s, out, err) &&
		springs_begin(springs, out, payer, err);
	for (int left = steps - 1; left >= 0 && ok; left--) {
		ok = (left > 0 ? evaluate_before(context, request->pose, left * step_s, out, err)
			       : pose_evaluate_into(context, request->pose, out, err)) &&
			springs_step(springs, out, step_s, payer, err);
	}
	return ok;
}

static bool evaluate_springs(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err) ||
		!avatar_of(context->rig, value, "\"springs\"", err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	struct springs *springs = springs_make(context->rig, scratch);
	const struct springs_payer payer = {context->run, value};
	const bool ok = request.seconds_source
		? swing(context, &request, springs, &payer, out, err)
		: pose_evaluate_into(context, request.pose, out, err) &&
			springs_settle(springs, out, 1 / request.rate_hz, &payer, err);
	if (ok) {
		springs_write(springs, out);
	}
	arena_destroy(scratch);
	return ok;
}

const struct operation operation_springs = {"springs",
	"a pose with its spring bones at rest, or swinging", evaluate_springs, &members,
	.is_quick = false};
