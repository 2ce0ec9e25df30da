/* B-splines of degree 0 to 3 on a parameter u, with knots at the ends that are clamped or that go
 * round. Sources: de Boor, A Practical Guide to Splines, Springer 1978; Piegl and Tiller, The NURBS
 * Book, Springer 1997, A2.2. */
#pragma once

#include <stdbool.h>

#define BSPLINE_DEGREE_MAX 3

/* Everything of a spline but its control points.
 *
 * Clamped: the first and the last knot are there degree + 1 times, and point_count + degree + 1
 * knots in all. Periodic: a period begins at knots[degree], the first and the last `degree`
 * intervals are those of the periods beside it, point_count + 2 degree + 1 knots in all, and the
 * last `degree` basis functions have the first control points. */
struct bspline {
	int degree;
	int point_count; // control points; of a periodic spline those of one period
	bool periodic;
	double *knots; // ascending; the caller's
};

/* Room for the knots of a spline with so many between its ends. */
int bspline_knots_at_most(int degree, int interior_count);

/* Fills a spline with knots between 0 and end, where neither is among the interior ones but the end
 * at degree 0; these are ascending, each at most degree + 1 times. knots has room as above. A
 * clamped spline then has interior_count + degree + 1 control points, a periodic one interior_count
 * + 1. */
void bspline_make(struct bspline *spline, int degree, bool periodic, const double *interior,
	int interior_count, double end, double *knots);

/* The span of a parameter from 0 to the end: the i with knots[i] <= u < knots[i + 1]; the last span
 * is closed. */
int bspline_span(const struct bspline *spline, double u);

/* The degree + 1 basis functions that are not 0 in a span, by Cox and de Boor: those of
 * bspline_point(spline, span, 0) and on. They sum to 1. */
void bspline_basis(
	const struct bspline *spline, int span, double u, double weights[BSPLINE_DEGREE_MAX + 1]);

/* The control point of a span's i-th basis function. */
int bspline_point(const struct bspline *spline, int span, int i);

/* The spline at u by de Boor's algorithm. points is [point_count][width], out is [width]; width is
 * at most BSPLINE_WIDTH_MAX. */
void bspline_evaluate(
	const struct bspline *spline, const double *points, int width, double u, double *out);

#define BSPLINE_WIDTH_MAX 4
