/* A joint's limits while bodies move: what they say of its turning in the next step. */
#pragma once

#include "physics/physics.h"
#include "pose/ik/limits.h"

/* Turns that one joint's limits give at most. */
#define STOP_TURNS_MAX 3

/* A limit as it holds now. A joint that starts outside of its limit is not pushed, which would
 * fling bodies about: its limit reaches out to where it is, and comes in with it. */
struct joint_stop {
	struct joint_limit limit; // zero: none
	double wider;             // >= 1; what the ellipse is stretched by
	double least[3], most[3]; // radians; the ranges, the twist's and the hinge's first
};

/* A joint as it is before a step. */
struct joint_motion {
	double rotation[4]; // unit, relative to its parent
	double frame[4];    // unit; from the limit's frame, rest, to the world
	double spin[3];     // rad/s, against its parent, in the world
	double step_s;
};

/* A limit around a joint's rotation at the start. */
void joint_stop_start(
	const struct joint_limit *limit, const double rotation[static 4], struct joint_stop *stop);

/* Writes what the limit says, for what the joint might reach in the step, to turns and returns how
 * many these are. */
int joint_stop_turns(struct joint_stop *stop, const struct joint_motion *motion,
	struct physics_turn turns[static STOP_TURNS_MAX]);
