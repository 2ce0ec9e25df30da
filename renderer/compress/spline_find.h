/* The search for the spline that takes the fewest bytes among those that keep to a tolerance at all
 * samples: its degree, its knots, and control points that are integers. Source: Šebor's thesis,
 * chapter 6, and the future work that it names (METHODS D.1, D.2). */
#pragma once

#include <stdint.h>

#include "base/stop.h"
#include "compress/bspline_fit.h"

/* A spline over samples 0 to count - 1 as a file has it. */
struct spline {
	int width, degree;
	bool periodic;   // sample count - 1 is sample 0 again
	bool uniform;    // knots are at equal distances
	int knot_count;  // between the ends
	uint32_t *knots; // [knot_count] samples, ascending; uniform: unused
	int point_count;
	int32_t *points; // [point_count][width]
};

/* Parts of the search, for those who measure what one is worth. */
enum {
	SPLINE_DEGREES = 1,  // all, else the highest alone
	SPLINE_BREAKS = 2,   // knots are repeated at corners and jumps
	SPLINE_REMOVAL = 4,  // knots that are not needed go
	SPLINE_ADAPTIVE = 8, // knots where they are needed, else uniform ones alone
	SPLINE_PERIODIC = 16,
	SPLINE_LATTICE = 32, // control points make up for the rounding of others
	SPLINE_ALL = 63,
};

struct spline_finder;

/* For samples of so many at most, in the arena. ways: of the above. stop: of the job, or NULL. */
struct spline_finder *spline_finder_make(
	int sample_max, int ways, const struct stop *stop, struct arena *arena);

/* Finds a spline, in the arena.
 *
 * samples    at 0, 1, 2 and so on, in units of the control points
 * tolerance  of each number at each sample, at least 0.5: some spline keeps to that
 * bits       about how many it takes; or NULL
 * False when control points would be greater than PCLIP_VALUE_MAX, or once the job is to stop. */
bool spline_find(struct spline_finder *finder, const struct bspline_samples *samples,
	double tolerance, struct arena *arena, struct spline *out, double *bits);

/* The knots between the ends, [knot_count]. */
void spline_interior(const struct spline *spline, int sample_count, double *interior);
