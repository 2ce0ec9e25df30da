/* The weight policy: what a file says about a vertex's joints -> what every skinning method may
 * rely on (METHODS 0.3). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rig;

/* One joint's share in a vertex. */
struct influence {
	uint32_t slot; // relative to the primitive's first slot
	double weight;
};

/* The number of vertices with each flaw. Zero it before the first vertex. */
struct weight_flaws {
	size_t bad;      // W_BAD: a weight that is not finite
	size_t negative; // W_BAD, too
	size_t index;    // W_INDEX: a joint that the skin does not have
	size_t dup;      // W_DUP: a joint named twice
	size_t zero;     // W_ZERO: no weight at all
	size_t sum;      // W_SUM: weights that do not sum to 1
	size_t loose;    // weights that do, but for more than the specification lets rounding take
};

/* Applies the policy to one vertex, in place: bad weights count as 0, joints that do not exist are
 * dropped, duplicates merged, the rest sorted (greatest weight first, then lowest slot) and
 * divided by their sum. A vertex without weights goes rigidly with the first joint that it lists.
 *
 * influences [count] as the file lists them
 * count      >= 1, any number
 * slot_count >= 1, slots of the skin
 * Returns how many influences are used, at least 1; those after them hold nothing. */
int weights_apply(
	struct influence *influences, int count, uint32_t slot_count, struct weight_flaws *flaws);

/* Adds one warning to the rig for each kind of flaw found in a primitive. place names it. */
void weights_warn(struct rig *rig, const char *place, const struct weight_flaws *flaws);
