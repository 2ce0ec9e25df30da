// {"crossfade": [A, B], "share": x}, or "elapsed" and "duration": from one pose to another, eased.
#include <math.h>

#include "pose/blend/average.h"
#include "pose/blend/easing.h"
#include "pose/operations.h"

struct request {
	const struct value *list;
	/* The moment, in the two ways to say it. */
	double share, elapsed_s, duration_s;
	const struct value *share_source, *elapsed_source, *duration_source; // NULL = not said
	int easing, rotation;
	bool frozen;
};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"crossfade", MEMBER_ANY, .offset = AT(list), .required = true},
	{"share", MEMBER_NUMBER, .offset = AT(share), .least = 0, .most = 1,
		.source_offset = AT(share_source)},
	{"elapsed", MEMBER_NUMBER, .offset = AT(elapsed_s), .source_offset = AT(elapsed_source)},
	{"duration", MEMBER_NUMBER, .offset = AT(duration_s), .most = INFINITY, .above_min = true,
		.source_offset = AT(duration_source)},
	{"easing", MEMBER_CHOICE, .offset = AT(easing), .choices = easing_names},
	{"frozen", MEMBER_BOOL, .offset = AT(frozen)},
	{"rotation", MEMBER_CHOICE, .offset = AT(rotation), .choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read_moment(const struct pose_context *context, const struct value *value,
	const struct request *request, double *share, struct error *err) {
	const bool timed = request->elapsed_source || request->duration_source;
	if (timed && request->share_source) {
		return value_error(request->share_source, err, ERROR_INVALID_VALUE,
			"\"share\" says when it is, and so do \"elapsed\" and \"duration\"; give "
			"the one or the others");
	}
	if (!timed && !request->share_source) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"a crossfade needs \"share\", or \"elapsed\" and \"duration\"");
	}
	*share = request->share;
	if (!timed) {
		return true;
	}
	if (!request->elapsed_source || !request->duration_source) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"elapsed\" and \"duration\" go together");
	}
	*share = (request->elapsed_s + context->time.clock_s) / request->duration_s;
	return true;
}

static bool evaluate_at(struct pose_context *context, const struct value *pose, bool frozen,
	struct pose *out, struct error *err) {
	const double later_s = frozen ? -context->time.clock_s : 0;
	return pose_evaluate_later(context, pose, later_s, out, err);
}

/* The first pose comes into out, the second into the slot. */
static bool fade(struct pose_context *context, const struct value *list, bool frozen,
	const struct average_input shares[static 2], enum average_rotation rotation,
	struct pose_slot *slot, struct pose *out, struct error *err) {
	if (!evaluate_at(context, &list->items[0], frozen, out, err) ||
		!pose_evaluate_into(context, &list->items[1], &slot->pose, err)) {
		return false;
	}
	struct average_input inputs[2] = {shares[0], shares[1]};
	inputs[0].pose = out;
	inputs[1].pose = &slot->pose;
	average_poses(context->rig, inputs, 2, rotation, out);
	return true;
}

static bool evaluate_crossfade(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	double share = 0;
	if (!value_read_table(value, &members, &request, err) ||
		!read_moment(context, value, &request, &share, err)) {
		return false;
	}
	const struct value *list = request.list;
	if (list->kind != VALUE_LIST || list->count != 2) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"crossfade\" must be a list of two poses");
	}
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!slot) {
		return false;
	}
	share = easing_share((enum easing)request.easing, share);
	const struct average_input shares[2] = {
		{.weight = 1 - share, .whole = true}, {.weight = share, .whole = true}};
	const bool ok = fade(context, list, request.frozen, shares,
		(enum average_rotation)request.rotation, slot, out, err);
	pose_pool_give(&context->spare, slot);
	return ok;
}

const struct operation operation_crossfade = {"crossfade", "from one pose to another, eased",
	evaluate_crossfade, &members, .is_quick = true};
