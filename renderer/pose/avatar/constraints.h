/* Joints that are turned by other joints: node constraints.
 *
 * Source: VRMC_node_constraint 1.0. */
#pragma once

#include "pose/pose.h"
#include "pose/run.h"

/* Turns the constrained joints of a rig that has an avatar, each after those that move what it
 * reads: by the source's turn from rest, by that turn's part about an axis, or so that an axis aims
 * at the source; as far from the joint's own rest rotation as its weight says. The pose drives
 * them then. An aim at a place where the joint itself is leaves it at rest.
 *
 * False with ERROR_TOO_LARGE at the place where the run has had its share of work. */
bool constraints_apply(const struct rig *rig, struct pose_run *run, const struct value *source,
	struct pose *pose, struct error *err);
