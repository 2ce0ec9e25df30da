/* Aiming a joint's axis at a point, with a chain of joints sharing the turn. METHODS C.15, look_at.
 */
#pragma once

#include "pose/ik/tree.h"

struct look_at {
	int joint;        // position in the tree of the one whose axis aims
	const int *chain; // [count] positions in the tree, from above to below; joint or above it
	const double *share; // [count] of the turn, summing to 1
	int count;
	double target[3]; // world
	double axis[3];   // unit, the joint's own: points at the target
	bool has_up;
	double up[3];       // unit, the joint's own: as near to world_up as the aim allows
	double world_up[3]; // unit
	double max_rad;     // that the axis may turn by, [0, pi]
};

/* Turns the joints of the chain, each by its share of one rotation in the world, so that the axis
 * points from where the joint then is to the target. The rotation is the shortest arc, by no more
 * than max_rad, followed by the turn about the axis that brings up upright; where target and axis
 * are opposite, half a turn about what is up. As the joint moves with its chain the rotation is
 * sought again, 32 times at most; what is left then the joint makes up by itself where it is in the
 * chain. Limits, where joints have them, are kept after each turn. But for them it is exact for a
 * chain with the joint in it, under any scales. A target where the joint is
 * changes nothing. */
void look_at_solve(struct ik_tree *tree, const struct look_at *look);
