/* Two bones to a target, in closed form. METHODS C.15, ik_two_bone. */
#pragma once

#include "pose/ik/tree.h"

struct two_bone {
	int root, middle, end; // positions in the tree, each below the one before
	double target[3];      // world
	bool has_pole;
	double pole[3]; // world: the middle joint comes to the same side of the line from root to
			// target
	double soft;    // (0, 1]: share of the length from which on the stretching slows down; 1 =
			// never
	bool has_rotation;
	double rotation[4]; // unit, world: the end's afterwards
};

/* Bends the middle joint about the axis that it is bent about already, so that end and root are as
 * far apart as the target is; then turns the root until the end is there, and about the line to it
 * until the middle is on the pole's side. Out of reach, the limb stretches towards the target, or
 * folds as far as it goes. A straight limb bends away from the pole's side, about the middle's
 * hinge if it has such a limit, as it does at rest, or else anyhow. The middle's limit is kept
 * before the root is turned, the root's after that, the end's last.
 *
 * Exact where scales above are even. Where they are not, bones change their length as they turn,
 * and it is repeated until it fits, 64 times at most. */
void two_bone_solve(struct ik_tree *tree, const struct rig *rig, const struct two_bone *limb);

/* The distance that is aimed for instead of "distance", by a limb of some length: "soft" is the
 * share of the length from which on it falls behind, never to reach the length. METHODS C.15. */
double two_bone_soften(double distance, double length, double soft);
