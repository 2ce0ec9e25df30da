// The way of a whole character over the ground.
#include "pose/motion/root.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"

#define PI 3.14159265358979323846

/* Of an angle of either sign. */
static void sine_cosine(double angle_rad, double *sine, double *cosine) {
	angle_sine_cosine(fabs(angle_rad) / (2 * PI), sine, cosine);
	*sine = angle_rad < 0 ? -*sine : *sine;
}

/* v turned about +Y; out may be v. */
static void turn(double yaw_rad, const double v[static 3], double out[static 3]) {
	double s, c;
	sine_cosine(yaw_rad, &s, &c);
	const double x = c * v[0] + s * v[2], z = c * v[2] - s * v[0];
	out[0] = x, out[1] = v[1], out[2] = z;
}

void root_multiply(
	const struct root_motion *a, const struct root_motion *b, struct root_motion *out) {
	double moved[3];
	turn(a->yaw_rad, b->translation, moved);
	for (int i = 0; i < 3; i++) {
		out->translation[i] = a->translation[i] + moved[i];
	}
	out->yaw_rad = a->yaw_rad + b->yaw_rad;
}

void root_invert(const struct root_motion *a, struct root_motion *out) {
	turn(-a->yaw_rad, a->translation, out->translation);
	for (int i = 0; i < 3; i++) {
		out->translation[i] = -out->translation[i];
	}
	out->yaw_rad = -a->yaw_rad;
}

/* The sum of a translation turned by 0, 1, ... times - 1 yaws: the translation turned by half of
 * what lies between the first and the last, times sin(times * yaw / 2) / sin(yaw / 2). */
void root_repeat(const struct root_motion *motion, double times, struct root_motion *out) {
	double whole, half, unused;
	const double yaw_rad = motion->yaw_rad;
	sine_cosine(times * yaw_rad / 2, &whole, &unused);
	sine_cosine(yaw_rad / 2, &half, &unused);
	const double share = fabs(half) > 1e-12 ? whole / half : times;
	double moved[3];
	turn((times - 1) * yaw_rad / 2, motion->translation, moved);
	out->translation[1] = times * motion->translation[1];
	out->translation[0] = share * moved[0];
	out->translation[2] = share * moved[2];
	out->yaw_rad = times * yaw_rad;
}

void root_between(
	const struct root_motion *from, const struct root_motion *to, struct root_motion *out) {
	struct root_motion inverse;
	root_invert(from, &inverse);
	root_multiply(&inverse, to, out);
	out->yaw_rad -= 2 * PI * rint(out->yaw_rad / (2 * PI));
}

static bool is_nothing(const struct root_motion *motion) {
	const double *t = motion->translation;
	return t[0] == 0 && t[1] == 0 && t[2] == 0 && motion->yaw_rad == 0;
}

void root_to_world(const struct root_motion *frame, const struct root_motion *motion,
	struct root_motion *out) {
	*out = (struct root_motion){0};
	if (is_nothing(motion)) {
		return; // also without the roundings of what cancels
	}
	struct root_motion inverse;
	root_invert(frame, &inverse);
	root_multiply(frame, motion, out);
	root_multiply(out, &inverse, out);
	out->yaw_rad = motion->yaw_rad;
}

void root_frame(const struct rig *rig, const struct pose *pose, const struct root_axes *axes,
	struct root_motion *out) {
	double posed[12], rest[12], q[4], away[4], stretch[9];
	pose_joint_world(rig, pose, axes->joint, posed);
	pose_joint_world(rig, NULL, axes->joint, rest);
	mat_polar(posed, q, stretch);
	mat_polar(rest, away, stretch);
	quat_conjugate(away, away);
	quat_multiply(q, away, away);
	out->translation[0] = posed[3];
	out->translation[1] = axes->vertical ? posed[7] : 0;
	out->translation[2] = posed[11];
	// Of the two quaternions the one that turns by at most half a turn.
	const double sign = away[3] < 0 ? -1 : 1;
	out->yaw_rad = axes->turns ? 2 * angle_direction(sign * away[1], sign * away[3]) : 0;
}

/* True when a matrix maps a cube to a cube, so that a turn of the world is a turn below it, too. */
static bool keeps_angles(const double m[static 12]) {
	double products[3][3];
	for (int a = 0; a < 3; a++) {
		for (int b = 0; b < 3; b++) {
			products[a][b] = m[a] * m[b] + m[4 + a] * m[4 + b] + m[8 + a] * m[8 + b];
		}
	}
	const double size = products[0][0];
	bool keeps = size > 0;
	for (int a = 0; a < 3; a++) {
		for (int b = 0; b < 3; b++) {
			const double wanted = a == b ? size : 0;
			keeps = keeps && fabs(products[a][b] - wanted) <= 1e-6 * size;
		}
	}
	return keeps;
}

static bool moves_vertices(const struct rig *rig, int joint) {
	for (int i = 0; i < rig->slot_count; i++) {
		if (rig->slots[i].joint == joint) {
			return true;
		}
	}
	return false;
}

/* The joint to be moved for another one: itself, or the first one above it that must go along. */
static int find_top(const struct rig *rig, const struct pose *pose, int joint) {
	int top = joint;
	for (int i = rig->joints[joint].parent; i >= 0; i = rig->joints[i].parent) {
		double world[12];
		pose_joint_world(rig, pose, i, world);
		if (moves_vertices(rig, i) || !keeps_angles(world)) {
			top = i;
		}
	}
	return top;
}

/* True when a joint is a root, or hangs on one above top, and is not above top itself. */
static bool is_beside(const struct rig *rig, int joint, int top) {
	const int parent = rig->joints[joint].parent;
	return (parent < 0 || (parent != top && rig_is_below(rig, top, parent))) &&
		!rig_is_below(rig, top, joint);
}

/* True when cameras or lights hang on a joint, and nothing that moves vertices. */
static bool is_view(const struct rig *rig, int joint) {
	bool view = false;
	for (int i = 0; i < rig->camera_count; i++) {
		view |= rig_is_below(rig, rig->cameras[i].joint, joint);
	}
	for (int i = 0; i < rig->light_count; i++) {
		view |= rig_is_below(rig, rig->lights[i].joint, joint);
	}
	for (int i = 0; view && i < rig->slot_count; i++) {
		view = !rig_is_below(rig, rig->slots[i].joint, joint);
	}
	return view;
}

static bool move_place(
	const double above[static 12], const struct root_motion *motion, float *translation) {
	double inverse[12], place[3];
	for (int i = 0; i < 3; i++) {
		place[i] = translation[i];
	}
	if (!mat_invert(above, inverse)) {
		return false;
	}
	mat_map_point(above, place, place);
	turn(motion->yaw_rad, place, place);
	for (int i = 0; i < 3; i++) {
		place[i] += motion->translation[i];
	}
	mat_map_point(inverse, place, place);
	bool ok = true;
	for (int i = 0; i < 3; i++) {
		translation[i] = (float)place[i];
		ok = ok && isfinite(translation[i]);
	}
	return ok;
}

/* Seen from a matrix that keeps angles, a turn about +Y is one about what it maps to +Y, the other
 * way round if it mirrors. */
static void move_rotation(const double above[static 12], double yaw_rad, float *rotation) {
	const double length = sqrt(above[4] * above[4] + above[5] * above[5] + above[6] * above[6]);
	const double sign = mat_determinant(above) < 0 ? -1 : 1;
	double sine, by[4], q[4];
	sine_cosine(yaw_rad / 2, &sine, &by[3]);
	for (int i = 0; i < 3; i++) {
		by[i] = sign * sine * above[4 + i] / length;
	}
	for (int i = 0; i < 4; i++) {
		q[i] = rotation[i];
	}
	quat_multiply(by, q, q);
	quat_normalize(q);
	for (int i = 0; i < 4; i++) {
		rotation[i] = (float)q[i];
	}
}

static bool move_joint(
	const struct rig *rig, const struct root_motion *motion, int joint, struct pose *pose) {
	struct transform *local = &pose->local[joint];
	double above[12];
	if (is_nothing(motion)) {
		return true;
	}
	pose_joint_world(rig, pose, rig->joints[joint].parent, above);
	if (!move_place(above, motion, local->translation)) {
		return false;
	}
	if (motion->yaw_rad != 0) {
		move_rotation(above, motion->yaw_rad, local->rotation);
	}
	return true;
}

/* True when the pose drives a joint or one above it: else that goes nowhere at any time. */
static bool is_driven(const struct rig *rig, const struct pose *pose, int joint) {
	int i = joint;
	while (i >= 0 && !pose->driven[i]) {
		i = rig->joints[i].parent;
	}
	return i >= 0;
}

bool root_move(const struct rig *rig, const struct root_motion *motion,
	const struct root_axes *axes, struct pose *pose) {
	if (!isfinite(motion->yaw_rad)) {
		return false;
	}
	// Also where nothing moves at the moment: blends take part in what some of their poses
	// drive.
	const unsigned drives = !is_driven(rig, pose, axes->joint) ? 0
		: axes->turns ? 1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION
			      : 1 << CHANNEL_TRANSLATION;
	const int top = find_top(rig, pose, axes->joint);
	bool ok = true;
	for (int i = 0; ok && i < rig->joint_count; i++) {
		if (i == top || (is_beside(rig, i, top) && !is_view(rig, i))) {
			ok = move_joint(rig, motion, i, pose);
			pose->driven[i] |= drives;
		}
	}
	return ok;
}

bool root_of_pose(const struct rig *rig, const struct pose *pose, double translation[static 3],
	double rotation[static 4]) {
	struct root_motion frame, motion;
	if (!pose->root.carried) {
		return false;
	}
	root_frame(
		rig, pose, &(struct root_axes){pose->root.joint, true, pose->root.turns}, &frame);
	root_to_world(&frame, &pose->root.motion, &motion);
	memcpy(translation, motion.translation, sizeof motion.translation);
	rotation[0] = rotation[2] = 0;
	sine_cosine(motion.yaw_rad / 2, &rotation[1], &rotation[3]);
	return true;
}

bool pose_find_length(const struct rig *rig, const struct value *expression,
	const struct pose_run *like, double *length_s, bool *sampled, struct error *err) {
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena, .sources = like->sources, .stop = like->stop};
	struct pose_context context = pose_context_make(rig, arena, &run);
	struct pose ignored;
	const bool ok = pose_evaluate(&context, expression, &ignored, err);
	*length_s = run.clip_s;
	if (sampled) {
		*sampled = run.sampled;
	}
	arena_destroy(arena);
	return ok;
}
