/* The limits of a joint's rotation from its rest: by a cone and a twist, like a hinge, or by Euler
 * angles. METHODS C.15, Limits. */
#pragma once

#include <stdbool.h>

#include "base/value.h"
#include "model/rig.h"
#include "pose/run.h"

enum limit_kind {
	LIMIT_NONE,
	LIMIT_SWING_TWIST, // the bone's direction within an ellipse, the twist about it in a range
	LIMIT_HINGE,       // turns about the axis only
	LIMIT_EULER,       // three angles, each in a range
};

/* Angles in radians. All hold for rest^-1 * rotation, what the joint has turned by in its own
 * frame. Zero limits nothing. */
struct joint_limit {
	enum limit_kind kind;
	double rest[4];  // unit; the joint's rotation, relative to its parent, at rest
	double axis[3];  // unit, the joint's own frame: the axis of the twist, or the hinge's
	double side[3];  // unit, across the axis: the ellipse's first angle turns about it, its
			 // second about axis x side
	bool swings;     // LIMIT_SWING_TWIST: whether the ellipse holds
	double swing[2]; // [0, pi] the ellipse's half axes
	bool twists;     // LIMIT_SWING_TWIST: whether the range of the twist holds
	double twist[2]; // least and most of the twist or of the hinge's angle, within [-2pi, 2pi]
			 // and no more than a turn apart
	int order[3];    // LIMIT_EULER: axes 0 to 2, each once; the first is outermost
	double least[3], most[3]; // by position in order; the second within 89 degrees
};

/* Brings a joint's rotation (unit, relative to its parent) into its limit, and returns whether it
 * had to: the swing is shortened until it meets the ellipse, angles go to the nearer end of their
 * range. A rotation that is inside, or outside by no more than 2e-6, stays as it is. What comes out
 * is inside to 1e-5 also when it has gone through float32, except for the twist where the swing is
 * almost half a turn, which tells no twist. */
bool limit_apply(const struct joint_limit *limit, double rotation[static 4]);

/* The three angles (radians) of a rotation by a LIMIT_EULER's order, the second within a right
 * angle. */
void limit_to_euler(
	const int order[static 3], const double turn[static 4], double angles[static 3]);

struct limited_joint {
	int joint; // position in rig->joints
	struct joint_limit limit;
};

struct joint_limits {
	bool read; // there, and not only room for it
	size_t count;
	struct limited_joint items[]; // [count], each joint once
};

/* Reads {"LeftArm": {"cone": 60, "twist": [-30, 30]}, "LeftLeg": {"hinge": {"axis": [1, 0, 0],
 * "min": 0, "max": 150}}, ...}, angles in degrees. What is read is kept for the run, and read once.
 *
 * value  the object; NULL = no limits
 * NULL with the place: ERROR_UNKNOWN_JOINT, ERROR_UNKNOWN_MEMBER, ERROR_INVALID_VALUE. */
const struct joint_limits *limits_read(
	struct pose_run *run, const struct rig *rig, const struct value *value, struct error *err);

/* The members of a joint's limit. */
extern const struct member_table limit_members;

/* A joint's limit; NULL = it has none. */
const struct joint_limit *limits_find(const struct joint_limits *limits, int joint);
