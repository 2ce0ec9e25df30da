/* Additive poses: the difference of two poses put on top of a third. */
#pragma once

#include "pose/pose.h"

/* The sides on which rotations are applied, with P the pose, R the reference and Q what it is put
 * on. */
enum difference_form {
	DIFFERENCE_POST,  // Q (R^-1 P)^w: about the joint's own axes
	DIFFERENCE_PRE,   // (P R^-1)^w Q: about the axes of the joint above
	DIFFERENCE_MODEL, // the same with the rotations in the model's space
};

struct difference {
	const struct pose *pose, *reference; // of the rig
	double weight;                       // >= 0; above 1 goes on beyond
	const float *mask;                   // [joint_count] times the weight; NULL = 1 everywhere
	enum difference_form form;
};

/* Adds a difference to out, joint by joint: translations and morph weights Q + w (P - R), scales
 * Q (1 + w (P / R - 1)), where an R of 0 changes nothing, and rotations by the form. What does not
 * differ, and where the weight is 0, stays to the bit. The joints with a weight drive what the pose
 * drives, too.
 *
 * In the model's space a joint turns as far as the difference of its own whole rotation goes: one
 * that does not differ keeps its rotation in the model below others that turn, and one with a
 * weight of 0 goes along.
 *
 * False where a joint would leave float32, with its position in *joint. METHODS C.9. */
bool difference_add(
	const struct rig *rig, const struct difference *difference, struct pose *out, int *joint);
