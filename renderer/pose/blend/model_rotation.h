/* Rotations in the model's space: the product of a joint's local rotation and those of all joints
 * above it. Scales do not come into it. Unit quaternions in double precision. */
#pragma once

#include "pose/pose.h"

/* The local rotation of a joint, unit. */
void model_rotation_local(const struct pose *pose, int joint, double out[static 4]);

/* above * local; above NULL for a root. out may be above. */
void model_rotation_below(const double *above, const double local[static 4], double out[static 4]);

/* Writes the local rotation that takes a joint to the model's rotation where the joint above it has
 * another, NULL for a root. */
void model_rotation_write(
	const double *above, const double model[static 4], int joint, struct pose *pose);
