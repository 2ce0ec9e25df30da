/* Forward kinematics, four joints at once. */
#pragma once

#include "model/rig.h"

/* World matrices of joints, rows of 3x4: W_j = W_parent * T R S.
 *
 * local  [joint_count]
 * needed [count] joints, parents before children, with every parent; NULL = the first count joints
 * world  [joint_count]; others stay as they are
 * The bits are those of mat_from_transform() and mat_multiply(), on every machine. */
typedef void world_build_function(const struct rig *rig, const struct transform *local,
	const int *needed, int count, double (*world)[12]);
world_build_function world_build, world_build_avx2;
