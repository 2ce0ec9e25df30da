/* Which joints of a rig become bodies of its rag doll. */
#pragma once

#include "pose/ragdoll/points.h"

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
