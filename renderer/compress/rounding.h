/* Rounds moving numbers to multiples of their steps such that no point of the shell is off by more
 * than the tolerance, as far as linear maps tell, if that can be had.
 * Sources: Babai, On Lovász' lattice reduction and the nearest lattice point problem, Combinatorica
 * 6 (1986), for rounding root to leaf; the repair is a greedy descent of our own. */
#pragma once

#include "compress/sensitivity.h"

struct rounding;

enum rounding_way {
	ROUNDING_NEAREST,  // each number to the nearest multiple
	ROUNDING_REPAIRED, // the same, and points that are too far off are brought nearer
	ROUNDING_LATTICE,  // likewise, and joints make up for the rounding of those above them;
			   // needs the factors
};

/* The multiple of a step that is nearest to a number, as far as files have such. */
int32_t rounding_nearest(double number, double step);

/* In the arena. */
struct rounding *rounding_make(const struct sensitivity *sensitivity, struct arena *arena);

/* Rounds one sample.
 *
 * values  [layout->channel_count] multiples of layout->channels[].step; of morph weights, too */
void rounding_sample(struct rounding *rounding, int sample, enum rounding_way way, int32_t *values);
