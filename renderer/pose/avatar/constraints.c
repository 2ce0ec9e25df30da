// Node constraints: roll, aim and rotation.
#include "pose/avatar/constraints.h"

#include "base/quat.h"
#include "base/vec.h"

static void read_rotation(const float rotation[static 4], double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = rotation[i];
	}
	quat_normalize(out);
}

/* The rotation, in the world, of what a joint is relative to. */
static void find_above(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 4]) {
	double local[4];
	read_rotation((const float[4]){0, 0, 0, 1}, out);
	for (int i = rig->joints[joint].parent; i >= 0; i = rig->joints[i].parent) {
		read_rotation(pose->local[i].rotation, local);
		quat_multiply(local, out, out);
	}
	quat_normalize(out);
}

/* by * what * by^-1 */
static void conjugate_by(
	const double by[static 4], const double what[static 4], double out[static 4]) {
	double inverse[4];
	quat_conjugate(by, inverse);
	quat_multiply(what, inverse, out);
	quat_multiply(by, out, out);
}

/* The source's turn from rest, in its own axes. */
static void find_turn(
	const struct pose *pose, int source, const double rest[static 4], double out[static 4]) {
	double now[4], inverse[4];
	read_rotation(pose->local[source].rotation, now);
	quat_conjugate(rest, inverse);
	quat_multiply(inverse, now, out);
}

/* What a constraint makes of its joint at full weight, as a turn in the joint's axes at rest. */
static void find_rotation(const struct rig *rig, const struct pose *pose,
	const struct avatar_constraint *constraint, double out[static 4]) {
	double rest[4];
	read_rotation(rig->joints[constraint->source].rest.rotation, rest);
	find_turn(pose, constraint->source, rest, out);
}

static void find_roll(const struct rig *rig, const struct pose *pose,
	const struct avatar_constraint *constraint, double out[static 4]) {
	double source[4], joint[4], turn[4], axis[3], swing[4];
	read_rotation(rig->joints[constraint->source].rest.rotation, source);
	read_rotation(rig->joints[constraint->joint].rest.rotation, joint);
	find_turn(pose, constraint->source, source, turn);
	conjugate_by(source, turn, turn); // in the axes of the source's parent
	quat_conjugate(joint, joint);
	conjugate_by(joint, turn, turn); // in the joint's
	quat_rotate(turn, constraint->axis, axis);
	quat_between(constraint->axis, axis, swing);
	quat_conjugate(swing, swing);
	quat_multiply(swing, turn, out);
}

static void find_aim(const struct rig *rig, const struct pose *pose,
	const struct avatar_constraint *constraint, double out[static 4]) {
	double above[4], rest[4], world[4], from[3], to[3], source[12], joint[12], arc[4];
	find_above(rig, pose, constraint->joint, above);
	read_rotation(rig->joints[constraint->joint].rest.rotation, rest);
	quat_multiply(above, rest, world);
	quat_rotate(world, constraint->axis, from);
	pose_joint_world(rig, pose, constraint->source, source);
	pose_joint_world(rig, pose, constraint->joint, joint);
	for (int i = 0; i < 3; i++) {
		to[i] = source[i * 4 + 3] - joint[i * 4 + 3];
	}
	quat_between(from, to, arc);
	quat_conjugate(world, world);
	conjugate_by(world, arc, out);
}

typedef void turn_finder(const struct rig *rig, const struct pose *pose,
	const struct avatar_constraint *constraint, double out[static 4]);

static turn_finder *const finders[] = {
	[AVATAR_ROTATION] = find_rotation,
	[AVATAR_ROLL] = find_roll,
	[AVATAR_AIM] = find_aim,
};

static void apply(
	const struct rig *rig, const struct avatar_constraint *constraint, struct pose *pose) {
	double rest[4], turned[4];
	finders[constraint->kind](rig, pose, constraint, turned);
	read_rotation(rig->joints[constraint->joint].rest.rotation, rest);
	quat_multiply(rest, turned, turned);
	quat_normalize(turned);
	quat_slerp(rest, turned, constraint->weight, turned);
	for (int i = 0; i < 4; i++) {
		pose->local[constraint->joint].rotation[i] = (float)turned[i];
	}
	pose->driven[constraint->joint] |= 1 << CHANNEL_ROTATION;
}

/* Joints that an aim looks at: those above both of its ends. */
static size_t count_above(const struct rig *rig, const struct avatar_constraint *constraint) {
	size_t count = 0;
	for (int i = constraint->joint; i >= 0; i = rig->joints[i].parent) {
		count++;
	}
	for (int i = constraint->source; i >= 0; i = rig->joints[i].parent) {
		count++;
	}
	return count;
}

bool constraints_apply(const struct rig *rig, struct pose_run *run, const struct value *source,
	struct pose *pose, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	for (int i = 0; i < avatar->constraint_count; i++) {
		const struct avatar_constraint *constraint = &avatar->constraints[i];
		const bool aims = constraint->kind == AVATAR_AIM;
		if (!pose_run_spend_work(
			    run, source, aims ? count_above(rig, constraint) : 1, err)) {
			return false;
		}
		apply(rig, constraint, pose);
	}
	return true;
}
