// {"look_at": [x, y, z] | {"yaw", "pitch"}, "to": P}: P with an avatar's eyes on something.
#include "pose/operations/look_at_avatar.h"
#include "pose/avatar/avatar_of.h"
#include "pose/avatar/expressions.h"
#include "pose/avatar/gaze.h"
#include "pose/operations.h"
#include "pose/read.h"

static const struct member gaze_rows[] = {
	{"yaw", MEMBER_NUMBER, .offset = offsetof(struct gaze, yaw_deg), .least = -180,
		.most = 180},
	{"pitch", MEMBER_NUMBER, .offset = offsetof(struct gaze, pitch_deg), .least = -90,
		.most = 90},
};

const struct member_table gaze_members = MEMBER_TABLE(NULL, gaze_rows);

bool look_at_is_avatar_s(const struct value *value) {
	const struct value *at = value_member(value, "look_at");
	const bool aims = value_member(value, "joint") || value_member(value, "target");
	return at &&
		(at->kind == VALUE_LIST || value_member(at, "yaw") || value_member(at, "pitch") ||
			(value_member(value, "to") && !aims));
}

/* Either a point, or a gaze. */
struct request {
	const struct value *at, *pose;
	double point[3];
	struct gaze gaze;
};

static const struct member rows[] = {
	{"look_at", MEMBER_ANY, .offset = offsetof(struct request, at), .required = true},
	{"to", MEMBER_ANY, .offset = offsetof(struct request, pose)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read(const struct value *value, struct request *request, struct error *err) {
	if (!value_read_table(value, &members, request, err)) {
		return false;
	}
	const struct value *at = request->at;
	if (at->kind != VALUE_LIST) {
		return value_read_table(at, &gaze_members, &request->gaze, err);
	}
	for (size_t i = 0; i < at->count; i++) {
		if (at->count != 3 || at->items[i].kind != VALUE_NUMBER) {
			break;
		}
		request->point[i] = at->items[i].number;
		if (i == 2) {
			return read_point(at, request->point, err);
		}
	}
	return value_error(
		at, err, ERROR_INVALID_VALUE, "a point to look at must be a list of 3 numbers");
}

static const struct avatar *find_avatar(
	const struct rig *rig, const struct value *value, struct error *err) {
	const struct avatar *avatar = avatar_of(rig, value, "\"look_at\" of a point", err);
	if (avatar && (!avatar->has_look_at || avatar->bones[AVATAR_BONE_head] < 0)) {
		value_error(value, err, ERROR_MISSING_DATA,
			"the avatar's file does not say how it looks at something");
		return NULL;
	}
	return avatar;
}

bool look_at_as_avatar(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct rig *rig = context->rig;
	struct request request = {0};
	const struct avatar *avatar =
		read(value, &request, err) ? find_avatar(rig, value, err) : NULL;
	if (!avatar || !pose_evaluate_into(context, request.pose, out, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	float *weights =
		arena_alloc(scratch, (size_t)avatar->expression_count + 1, sizeof *weights);
	if (request.at->kind == VALUE_LIST) {
		request.gaze = gaze_at(rig, out, request.point);
	}
	expressions_of_pose(rig, out, weights);
	gaze_apply(rig, &request.gaze, 1, weights, out);
	arena_destroy(scratch);
	return true;
}
