/* Questions of a fit about a rig's joints and their vertices. */
#pragma once

#include <stdbool.h>

#include "model/rig.h"

/* Below this angle, in radians, a joint counts as where it rests. */
#define JOINTS_MIN_TURN 1e-3

/* The joints that change the shape of a primitive when they turn: some of the joints that its
 * vertices follow are below (or it itself), and some are not. What lies above all of them moves the
 * primitive as a whole. bends is [joint_count]. */
void joints_that_bend(const struct rig *rig, bool *bends);

/* The joints among those that a pose turns away from the rest pose; returns how many. local and
 * moved are [joint_count]. */
int joints_moved(
	const struct rig *rig, const bool *bends, const struct transform *local, int *moved);

/* The direction (unit) of a joint's bone in its own frame: towards its child, the mean of the
 * directions where it has several; without any, the way on from its parent. False where that is
 * nothing. Children and a parent in the same place do not count.
 * Houska 2005 takes joints with one child only; the rest is ours. */
bool joints_bone(const struct rig *rig, int joint, double axis[static 3]);

/* The root of each slot, [slot_count]: the slot of the joint nearest to the leaves that has all
 * joints below it which the vertices of the slots' primitives follow, or that is one of them and
 * has all others below it; where no slot has that joint, the slot of the first that they follow. So
 * a root's matrix is the motion of all that hangs on it. Primitives of one skin have one root. */
void joints_find_roots(const struct rig *rig, int *roots);

/* Gives each vertex to at most one of some joints, the one whose examples may move it: those that
 * follow the joint's parent but not the parent's parent (Houska 2005, 5.3.1); where several are in
 * question, the joint with the greatest weight, then the first listed. Parents are the nearest that
 * the primitive's vertices follow. owners [vertex_count] get a place in joints [count], or -1. */
void joints_assign_supports(const struct rig *rig, const int *joints, int count, int *owners);
