/* Joint limits as a request says them. */
#pragma once

#include "base/value.h"
#include "model/rig.h"
#include "pose/ik/limits.h"
#include "pose/run.h"

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

/* A joint's limit; NULL = it has none. */
const struct joint_limit *limits_find(const struct joint_limits *limits, int joint);
