/* Pairs of branches of a hierarchy that mirror one another in the rest pose. */
#pragma once

#include "pose/humanoid/humanoid_internal.h"

#define CHAIN_MAX 24

/* From a branch's first joint along its longest way. */
struct chain {
	int count;
	int joints[CHAIN_MAX];
};

struct branches {
	int fork; // what both hang from
	struct chain sides[2];
	double reach;     // from the fork to the end
	double across[3]; // unit, from the second side to the first
};

/* Finds them below joints of which at most some branches are looked at, those that reach farthest.
 *
 * out  [most]; the pairs that reach farthest, in no order
 * Returns how many they are. Limbs of less than a share of the rig's extent, and those whose names
 * say that they are no part of the body, do not count. */
int humanoid_find_branches(const struct humanoid_search *search, struct branches *out, int most);

/* From one joint to another at rest; returns its length. */
double humanoid_way(const struct humanoid_search *search, int from, int to, double way[static 3]);
