/* The way of a whole character over the ground: where the hips go and head for, apart from what the
 * body does around them. METHODS C.13. */
#pragma once

#include <stdbool.h>

#include "pose/operations.h"
#include "pose/pose.h"

/* out = a * b: b first, then a. out may be a or b. */
void root_multiply(
	const struct root_motion *a, const struct root_motion *b, struct root_motion *out);

/* out may be a. */
void root_invert(const struct root_motion *a, struct root_motion *out);

/* A motion so many times, a whole number that may be negative, in one step. */
void root_repeat(const struct root_motion *motion, double times, struct root_motion *out);

/* The motion from one frame to another in the former's own axes, from^-1 * to, its yaw in
 * [-pi, pi]. */
void root_between(
	const struct root_motion *from, const struct root_motion *to, struct root_motion *out);

/* A motion in the axes of a frame as the same one of the world: frame * motion * frame^-1. */
void root_to_world(
	const struct root_motion *frame, const struct root_motion *motion, struct root_motion *out);

/* The part of a joint's motion that is the root motion. */
struct root_axes {
	int joint;
	bool vertical; // its height too
	bool turns;    // its heading too
};

/* The frame of a joint in a pose: its place in the world, and its heading, the twist about +Y of
 * what its rotation there is away from rest; 0 for what does not count. */
void root_frame(const struct rig *rig, const struct pose *pose, const struct root_axes *axes,
	struct root_motion *out);

/* Moves a whole pose in the world by a motion that a joint's frame was found to have: the joint
 * with what hangs on it, and what hangs beside it, such as feet that are led by targets of their
 * own. The joints above it stay, unless they move vertices themselves, or stretch unevenly. Cameras
 * and lights stay where nothing else hangs with them. A motion of nothing leaves all transforms as
 * they are. The pose drives what is moved, if it drives the joint or one above it: blends then
 * count it at all times. False where a number leaves float32. */
bool root_move(const struct rig *rig, const struct root_motion *motion,
	const struct root_axes *axes, struct pose *pose);

/* The motion in the world that a pose carries: a turn about +Y as a unit quaternion x y z w, then a
 * translation. False where it carries none. */
bool root_of_pose(const struct rig *rig, const struct pose *pose, double translation[static 3],
	double rotation[static 4]);

/* The length of the longest clip that an expression samples at the moment that it names, at its
 * speed; 0 where it samples none, which *sampled tells from a clip of one moment (NULL: nobody
 * asks). The evaluation is in a run of its own, with the sources and the stop of another: what goes
 * on from frame to frame there does not see it. Fails like pose_evaluate. */
bool pose_find_length(const struct rig *rig, const struct value *expression,
	const struct pose_run *like, double *length_s, bool *sampled, struct error *err);
