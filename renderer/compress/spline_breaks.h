/* Places where samples are no smooth curve: corners, and jumps between two samples. METHODS D.2. */
#pragma once

#include "compress/bspline_fit.h"

struct spline_break {
	int sample; // at which they bend, or to which they jump
	bool jumps;
};

/* Finds those whose second differences stand out: above ten tolerances and eight times their
 * median, scaled to a standard deviation.
 *
 * sorted  scratch, [samples->count]
 * out     [samples->count]
 * Returns how many there are. */
int spline_find_breaks(const struct bspline_samples *samples, double tolerance, double *sorted,
	struct spline_break *out);
