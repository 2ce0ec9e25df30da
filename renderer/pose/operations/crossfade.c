// {"crossfade": [A, B], "share": x}, or "elapsed" and "duration": from one pose to another, eased.
#include "pose/blend/average.h"
#include "pose/blend/easing.h"
#include "pose/operations.h"

/* When a fade is, in the two ways to say it. */
struct moment {
	double share, elapsed_s, duration_s;
	const struct value *share_place, *elapsed_place, *duration_place; // NULL = not said
};

static bool read_moment(const struct pose_context *context, const struct value *value,
	const struct moment *moment, double *share, struct error *err) {
	const bool timed = moment->elapsed_place || moment->duration_place;
	if (timed && moment->share_place) {
		return value_error(moment->share_place, err, ERROR_INVALID_VALUE,
			"\"share\" says when it is, and so do \"elapsed\" and \"duration\"; give "
			"the one or the others");
	}
	if (!timed && !moment->share_place) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"a crossfade needs \"share\", or \"elapsed\" and \"duration\"");
	}
	*share = moment->share;
	if (!timed) {
		return true;
	}
	if (!moment->elapsed_place || !moment->duration_place) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"elapsed\" and \"duration\" go together");
	}
	if (!(moment->duration_s > 0)) {
		return value_error(moment->duration_place, err, ERROR_INVALID_VALUE,
			"\"duration\" is %.15g, must be more than 0", moment->duration_s);
	}
	*share = (moment->elapsed_s + context->time.clock_s) / moment->duration_s;
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

bool operation_crossfade(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *list = NULL;
	struct moment moment = {0};
	int easing = EASING_LINEAR, rotation = AVERAGE_NLERP;
	bool frozen = false;
	const struct member members[] = {
		{"crossfade", MEMBER_ANY, &list, .required = true},
		{"share", MEMBER_NUMBER, &moment.share, .least = 0, .most = 1,
			.place = &moment.share_place},
		{"elapsed", MEMBER_NUMBER, &moment.elapsed_s, .place = &moment.elapsed_place},
		{"duration", MEMBER_NUMBER, &moment.duration_s, .place = &moment.duration_place},
		{"easing", MEMBER_CHOICE, &easing, .choices = easing_names},
		{"frozen", MEMBER_BOOL, &frozen, .required = false},
		{"rotation", MEMBER_CHOICE, &rotation, .choices = average_names},
	};
	double share = 0;
	if (!value_read_members(value, members, sizeof members / sizeof *members, err) ||
		!read_moment(context, value, &moment, &share, err)) {
		return false;
	}
	if (list->kind != VALUE_LIST || list->count != 2) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"crossfade\" must be a list of two poses");
	}
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!slot) {
		return false;
	}
	share = easing_share((enum easing)easing, share);
	const struct average_input shares[2] = {
		{.weight = 1 - share, .whole = true}, {.weight = share, .whole = true}};
	const bool ok = fade(
		context, list, frozen, shares, (enum average_rotation)rotation, slot, out, err);
	pose_pool_give(&context->spare, slot);
	return ok;
}
