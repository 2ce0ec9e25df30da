// Where avatars look.
#include "pose/avatar/gaze.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/avatar/expressions.h"

#define DEGREE (3.14159265358979323846 / 180)

/* The rotation of a joint in the world, in a pose or at rest (NULL); that of joint -1 is none. */
static void find_rotation(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 4]) {
	memcpy(out, (const double[4]){0, 0, 0, 1}, 4 * sizeof *out);
	for (int i = joint; i >= 0; i = rig->joints[i].parent) {
		const struct transform *local = pose ? &pose->local[i] : &rig->joints[i].rest;
		double rotation[4];
		for (int k = 0; k < 4; k++) {
			rotation[k] = local->rotation[k];
		}
		quat_normalize(rotation);
		quat_multiply(rotation, out, out);
	}
	quat_normalize(out);
}

struct gaze gaze_along(const double direction[static 3]) {
	const double x = direction[0], z = direction[2];
	return (struct gaze){
		.yaw_deg = angle_direction(x, z) / DEGREE,
		.pitch_deg = angle_direction(-direction[1], sqrt(x * x + z * z)) / DEGREE,
	};
}

struct gaze gaze_at(const struct rig *rig, const struct pose *pose, const double point[static 3]) {
	const struct avatar *avatar = rig->avatar;
	const int head = avatar->bones[AVATAR_BONE_head];
	double world[12], eye[3], way[3], now[4], rest[4], turn[4];
	pose_joint_world(rig, pose, head, world);
	mat_map_point(world, avatar->look_at.head_offset, eye);
	vec3_sub(point, eye, way);
	find_rotation(rig, pose, head, now);
	find_rotation(rig, NULL, head, rest);
	quat_conjugate(now, now);
	quat_multiply(rest, now, turn); // the inverse of the head's turn
	quat_rotate(turn, way, way);
	const double front = avatar->is_0x ? -1 : 1;
	return gaze_along((const double[3]){front * way[0], way[1], front * way[2]});
}

static double map_range(const struct avatar_range *range, double angle_deg) {
	const double share = fmin(fabs(angle_deg), range->input_max_deg) / range->input_max_deg;
	return share * range->output;
}

static double map_pitch(const struct avatar_look_at *look, double pitch_deg) {
	return map_range(pitch_deg > 0 ? &look->down : &look->up, pitch_deg);
}

static void turn_eye(const struct rig *rig, int eye, double yaw_deg, double pitch_deg, double share,
	struct pose *pose) {
	const double front = rig->avatar->is_0x ? -1 : 1;
	double yaw[4], pitch[4], turn[4], above[4], inverse[4], local[4], from[4];
	quat_from_vector((const double[3]){0, yaw_deg * DEGREE, 0}, yaw);
	quat_from_vector((const double[3]){front * pitch_deg * DEGREE, 0, 0}, pitch);
	quat_multiply(yaw, pitch, turn);
	find_rotation(rig, NULL, rig->joints[eye].parent, above);
	quat_conjugate(above, inverse);
	find_rotation(rig, NULL, eye, local);
	quat_multiply(turn, local, local);
	quat_multiply(inverse, local, local);
	for (int i = 0; i < 4; i++) {
		from[i] = pose->local[eye].rotation[i];
	}
	quat_normalize(from);
	quat_normalize(local);
	quat_slerp(from, local, share, local);
	for (int i = 0; i < 4; i++) {
		pose->local[eye].rotation[i] = (float)local[i];
	}
	pose->driven[eye] |= 1 << CHANNEL_ROTATION;
}

/* An eye that looks to its own side has the outer range. */
static void look_by_eyes(
	const struct rig *rig, const struct gaze *gaze, double share, struct pose *pose) {
	const struct avatar *avatar = rig->avatar;
	const struct avatar_look_at *look = &avatar->look_at;
	const double pitch = copysign(map_pitch(look, gaze->pitch_deg), gaze->pitch_deg);
	for (int side = 0; side < 2; side++) {
		const int eye = avatar->bones[side ? AVATAR_BONE_rightEye : AVATAR_BONE_leftEye];
		const bool outer = side ? gaze->yaw_deg < 0 : gaze->yaw_deg > 0;
		const struct avatar_range *range = outer ? &look->outer : &look->inner;
		const double yaw = copysign(map_range(range, gaze->yaw_deg), gaze->yaw_deg);
		if (eye >= 0) {
			turn_eye(rig, eye, yaw, pitch, share, pose);
		}
	}
}

static void look_by_expressions(const struct rig *rig, const struct gaze *gaze, double share,
	float *weights, struct pose *pose) {
	const struct avatar *avatar = rig->avatar;
	const struct avatar_look_at *look = &avatar->look_at;
	const double yaw = map_range(&look->outer, gaze->yaw_deg);
	const double pitch = map_pitch(look, gaze->pitch_deg);
	const double to[AVATAR_PRESET_COUNT] = {
		[AVATAR_PRESET_lookLeft] = gaze->yaw_deg > 0 ? yaw : 0,
		[AVATAR_PRESET_lookRight] = gaze->yaw_deg < 0 ? yaw : 0,
		[AVATAR_PRESET_lookDown] = gaze->pitch_deg > 0 ? pitch : 0,
		[AVATAR_PRESET_lookUp] = gaze->pitch_deg < 0 ? pitch : 0,
	};
	for (int i = 0; i < avatar->expression_count; i++) {
		const int preset = avatar->expressions[i].preset;
		if (preset >= 0 && avatar_preset_kind(preset) == AVATAR_LOOKS) {
			const double most = fmin(fmax(to[preset], 0), 1);
			weights[i] = (float)((1 - share) * weights[i] + share * most);
		}
	}
	expressions_apply(rig, weights, pose);
}

void gaze_apply(const struct rig *rig, const struct gaze *gaze, double share, float *weights,
	struct pose *pose) {
	if (rig->avatar->look_at.by_expressions) {
		look_by_expressions(rig, gaze, share, weights, pose);
	} else {
		look_by_eyes(rig, gaze, share, pose);
	}
}
