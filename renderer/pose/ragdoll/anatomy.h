/* How far the joints of a rag doll turn where nobody says it: a human's as humans can, others a
 * little. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"
#include "pose/humanoid/humanoid.h"
#include "pose/ik/limits.h"
#include "pose/ragdoll/fit.h"

struct ragdoll_fit;

struct ragdoll_points {
	double (*world)[12]; // [joint_count] the joints at rest
	double (*at)[3];     // [count] in the world at rest
	int *joints;         // [count] positions in rig->joints
	int count;
	double size; // diagonal of the box around the points
};

/* The vertices of all skinned primitives, of all primitives where no one is skinned; of a large
 * mesh every n-th. The arrays are in the arena. False with ERROR_MISSING_DATA where there is no
 * vertex, or none farther from another than float32 tells apart. */
bool ragdoll_points_gather(const struct rig *rig, struct arena *arena,
	struct ragdoll_points *points, struct error *err);

/* Where a joint is at rest. */
void ragdoll_points_joint(const struct ragdoll_points *points, int joint, double out[static 3]);

/* Bodies of one rag doll: a step's time grows with more than their number. */
#define RAGDOLL_BODIES_MAX 64

/* Marks the joints: those that points hang on and that reach far enough (fingers do not) from where
 * another one begins, no helpers within the bone of another; and where several of what one skin
 * moves have nothing above them, what they have in common, that they hang together. The measures
 * grow until there are no more than RAGDOLL_BODIES_MAX.
 *
 * must    [rig->joint_count] joints that are chosen whatever their measures
 * never   [rig->joint_count] joints that are not
 * chosen  [rig->joint_count], the caller's; all false before */
void ragdoll_choose(const struct rig *rig, const struct ragdoll_points *points, const bool *must,
	const bool *never, struct arena *scratch, bool *chosen);

/* The nearest chosen joint at or above one; -1 if there is none. joint may be -1. */
int ragdoll_chosen_above(const struct rig *rig, const bool *chosen, int joint);

/* For ragdoll_choose(): which joints a human's bodies begin at, whatever their size, and which are
 * too small for one. Does nothing to a rig that is no whole human.
 *
 * must, never  [rig->joint_count], the caller's; all false before */
void anatomy_choose(
	const struct rig *rig, const struct humanoid *humanoid, bool *must, bool *never);

/* The limit of a body's joint, from where bones point at rest: knees and elbows are hinges, others
 * have a cone (an ellipse) and a range of twist around a middle that is the joint's own. */
void anatomy_limit(const struct rig *rig, const struct humanoid *humanoid,
	const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body,
	struct joint_limit *limit);
