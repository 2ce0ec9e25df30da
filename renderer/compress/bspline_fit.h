/* Least-squares fits of B-splines. The normal equations are solved by Cholesky's factors within
 * their envelope: a band, and for periodic splines the last rows. Where a span has too few samples
 * (Schoenberg and Whitney's condition) they are singular; then Givens' rotations factor the
 * samples' rows themselves, with a little added to each control point so that the shortest answer
 * comes out. Sources: Šebor's master's thesis on skeletal animation, chapter 6, with its index
 * errors corrected (METHODS D.1, G34 to G39); Golub and Van Loan, Matrix Computations; Babai, On
 * Lovász' lattice reduction and the nearest lattice point problem, Combinatorica 6 (1986). */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "compress/bspline.h"

/* Values at ascending parameters. */
struct bspline_samples {
	int count, width;     // width <= BSPLINE_WIDTH_MAX
	const double *values; // [count][width]
	const double *at;     // [count]; NULL = 0, 1, 2 and so on
};

struct bspline_solver;

/* Room for fits of splines of so many control points to so many samples at most, in the arena. */
struct bspline_solver *bspline_solver_make(int point_max, int sample_max, struct arena *arena);

/* Fits a spline's control points, [point_count][width].
 *
 * ends  [2][width] that the first and the last control point of a clamped spline are fixed to; NULL
 *       = they are as free as the others
 * False when the normal equations are singular and the spline is periodic. */
bool bspline_fit(struct bspline_solver *solver, const struct bspline *spline,
	const struct bspline_samples *samples, const double *ends, double *points);

/* A spline of the same knots as the fit before, with any control points, at its samples: out is
 * [count][width]. */
void bspline_at_samples(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, double *out);

/* Rounds the control points of the fit before to integers, such that each makes up for those
 * already rounded. */
void bspline_round(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, int32_t *rounded);

/* The growth of the sum of squared errors if an interior knot, knots[knot], were removed from the
 * fit before and the control points fitted anew. Source: Lyche and Mørken, Knot removal for
 * parametric B-spline curves and surfaces, CAGD 4 (1987); in the least-squares norm. */
double bspline_removal_cost(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, int knot);
