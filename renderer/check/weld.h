/* Points that lie at one place. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The lowest point at the same place, for every point: one within the tolerance of it that has no
 * lower one itself. Those that are left out, and those that are not finite, stay alone.
 *
 * positions [count]; the tolerance is > 0
 * left_out  [count]; NULL = none
 * Returns [count] in the arena. Takes time in proportion to the count, unless many points that are
 * not at one place are within 16 tolerances of each other. */
int *check_weld(const double (*positions)[3], int count, double tolerance, const bool *left_out,
	struct arena *arena);
