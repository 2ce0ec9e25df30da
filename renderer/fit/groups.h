/* Which examples are interpolated together: those that turn the same joints. */
#pragma once

#include "base/arena.h"
#include "fit/example.h"

struct group {
	int joint_count, example_count;
	int *joints;   // [joint_count] rising
	int *examples; // [example_count] rising
};

/* Groups of examples that share a joint which they turn, directly or through others of the group.
 * Each joint and each example is in at most one; so while one group's joints turn, the others'
 * coefficients stay 0. With one_joint only examples that turn one joint count. The verdicts of
 * those left out go into reports ([example_count]). Result in the arena; returns how many. */
int groups_find(const struct fit_input *input, bool one_joint, struct arena *arena,
	struct fit_example_report *reports, struct group **groups);
