/* Few unknowns from more or fewer equations, drawn towards 0: what the methods that are linear in
 * their weights fit, vertex by vertex, as a deviation from linear blending. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct equations_recipe {
	double ridge;   // lambda as a share of the mean square of the matrix' columns; 0 = none,
			// and the shortest of all solutions
	bool principal; // no ridge, but the principal components: singular values at or below cut
			// times the matrix' norm are left out (Wang, Phillips 2002)
	double cut;     // (0, 1)
};

/* a x = b. */
struct equations {
	int rows, columns;
	int exact_rows; // the first so many hold exactly, and have 0 on their right side
	double *a;      // [rows][columns] by columns; solving destroys it, and b and tie
	double *b;      // [rows]
	double *tie; // [columns] one more linear form that the ridge keeps small; all zero = none
	double *x;   // [columns] room for a solution
	double *scratch;
};

/* Room for at most so many rows and columns. False with ERROR_TOO_LARGE. */
bool equations_init(struct equations *e, int row_max, int column_max, struct error *err);
void equations_finish(struct equations *e);

/* The cell of a. rows must be set before. */
static inline double *equations_cell(const struct equations *e, int row, int column) {
	return e->a + (long)column * e->rows + row;
}

/* The x [columns] that makes |a x - b|^2 + lambda |x|^2 least. */
bool equations_solve(const struct equations *e, const struct equations_recipe *recipe, double *x,
	struct error *err);

/* The angle between two unit vectors, [0, pi]: the arc between them on the unit sphere. */
double metric_arc(const double a[static 3], const double b[static 3]);

/* The straight distance between them, [0, 2]. Gaussians of it are always positive definite, those
 * of the arc are not (METHODS G12). */
double metric_chord(const double a[static 3], const double b[static 3]);

/* The angle of the rotation that takes one unit quaternion (x y z w) to another, [0, pi]. */
double metric_angle(const double a[static 4], const double b[static 4]);

/* exp(-(distance / width)^2): 1 at 0. */
double kernel_gaussian(double distance, double width);

/* The uniform cubic B-spline over distance / width: 2/3 at 0, 1/6 at 1, 0 from 2 on. */
double kernel_bspline(double distance, double width);
