/* Samples of a clip whose poses differ the most. */
#pragma once

#include "check/samples.h"

/* Chooses up to most of the samples that surface passes are called with: the first one, then again
 * and again the one farthest from those chosen. Of long clips, samples spread evenly are looked at.
 * Returns flags [clip->count]; their number in *count. */
const bool *check_choose_samples(const struct check_asset *asset, const struct check_clip *clip,
	int most, int *count, struct arena *arena);
