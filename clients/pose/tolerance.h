/* --tolerance of compression and optimising: a distance, or a share of the rig's diagonal. */
#pragma once

#include <stdbool.h>

#include "options.h"

struct tolerance {
	double metres; // 0 = the share counts
	double share;  // of the diagonal; both 0 = none is given
};

/* Reads "0.1mm", "0.01cm", "0.0001m", metres without a unit, or "0.01%" of the diagonal; zeros
 * where there is none. False with a sentence on standard error for anything else, and for what is
 * not above 0. */
bool tolerance_read(const struct arguments *arguments, struct tolerance *out);
