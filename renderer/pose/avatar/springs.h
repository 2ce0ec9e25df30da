/* Spring bones: joints whose tails lag behind, hang and swing, held off by colliders.
 *
 * A tail is pulled along its rest direction by the bone's stiffness and along gravity; with what is
 * left of its last movement, and at the length of its bone, it makes one step. Forces count once a
 * step and inertia by the step, so that a motion depends on the length of its steps.
 *
 * Source: VRMC_springBone 1.0, which VRM 0.x's secondaryAnimation moves by, too. */
#pragma once

#include "pose/pose.h"
#include "pose/run.h"

/* Of one rig; moved from pose to pose of it. */
struct springs;

/* What a movement costs the run, and where to say so. */
struct springs_payer {
	struct pose_run *run;
	const struct value *source;
};

/* Prepares the springs of a rig that has an avatar, each joint after those that move it, its
 * colliders or its centre; in a circle of these someone goes first. All is in the arena. Never
 * fails. Time linear in the avatar's joints, and in colliders times the joints that they hold off.
 */
struct springs *springs_make(const struct rig *rig, struct arena *arena);

/* Puts every tail, at rest, where it is with its joint's rest rotation under a pose. False with
 * ERROR_TOO_LARGE at the payer's source. */
bool springs_begin(struct springs *springs, const struct pose *pose,
	const struct springs_payer *payer, struct error *err);

/* Moves every tail by one step of step_s under a pose. The same bits on every machine. False as
 * springs_begin(). */
bool springs_step(struct springs *springs, const struct pose *pose, double step_s,
	const struct springs_payer *payer, struct error *err);

/* Puts every tail where a pose held still lets it come to rest: along the sum of its forces, which
 * is exact for any step; and where a collider is in the way, where steps of step_s without inertia
 * lead from there, 600 at most, until one moves it by no more than a millionth of its length. A
 * joint that nothing pulls keeps its rotation. False as springs_begin(). */
bool springs_settle(struct springs *springs, const struct pose *pose, double step_s,
	const struct springs_payer *payer, struct error *err);

/* Writes the joints' rotations into the pose, which then drives them. */
void springs_write(const struct springs *springs, struct pose *pose);
