// Least squares for small systems, with a ridge or by principal components.
#include "fit/equations.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "fit/dense.h"

/* Of the greatest singular value: below it are roundings. */
#define ROUNDING 1e-12

bool equations_init(struct equations *e, int row_max, int column_max, struct error *err) {
	const char *what = "a fit to examples";
	const size_t rows = (size_t)row_max, columns = (size_t)column_max;
	*e = (struct equations){0};
	e->a = try_calloc(rows * columns, sizeof *e->a, what, err);
	e->b = try_calloc(rows, sizeof *e->b, what, err);
	e->x = try_calloc(columns, sizeof *e->x, what, err);
	e->tie = try_calloc(columns, sizeof *e->tie, what, err);
	// The matrix with a row for each unknown and one for the tie, and as long a right side.
	e->scratch =
		try_calloc((rows + columns + 1) * (columns + 1), sizeof *e->scratch, what, err);
	if (!e->a || !e->b || !e->x || !e->tie || !e->scratch) {
		equations_finish(e);
		return false;
	}
	return true;
}

void equations_finish(struct equations *e) {
	free(e->a);
	free(e->b);
	free(e->x);
	free(e->tie);
	free(e->scratch);
	*e = (struct equations){0};
}

/* The sum of the squares in a. */
static double sum_of_squares(const struct equations *e) {
	double sum = 0;
	for (int i = 0; i < e->rows * e->columns; i++) {
		sum += e->a[i] * e->a[i];
	}
	return sum;
}

/* Takes from a form, whose coefficients are stride apart, its part along an exact row of length 1.
 */
static void project(const struct equations *e, int exact, double *form, int stride) {
	double along = 0;
	for (int column = 0; column < e->columns; column++) {
		along += form[column * stride] * *equations_cell(e, exact, column);
	}
	for (int column = 0; column < e->columns; column++) {
		form[column * stride] -= along * *equations_cell(e, exact, column);
	}
}

static double length_of(const struct equations *e, int row) {
	double square = 0;
	for (int column = 0; column < e->columns; column++) {
		square += pow(*equations_cell(e, row, column), 2);
	}
	return sqrt(square);
}

/* Makes an exact row of length 1, or 0 where those before say the same. */
static void make_unit(const struct equations *e, int exact) {
	const double before = length_of(e, exact);
	for (int i = 0; i < 2 * exact; i++) { // twice, for what roundings leave
		project(e, i % exact, equations_cell(e, exact, 0), e->rows);
	}
	const double length = length_of(e, exact);
	for (int column = 0; column < e->columns; column++) {
		double *cell = equations_cell(e, exact, column);
		*cell = length > ROUNDING * before ? *cell / length : 0;
	}
}

/* Solutions of the exact rows are those at right angles to them: all else is projected onto that
 * space, and the exact rows are 0 then. */
static void project_all(const struct equations *e) {
	for (int exact = 0; exact < e->exact_rows; exact++) {
		make_unit(e, exact);
		for (int row = e->exact_rows; row < e->rows; row++) {
			project(e, exact, equations_cell(e, row, 0), e->rows);
		}
		project(e, exact, e->tie, 1);
	}
	for (int exact = 0; exact < e->exact_rows; exact++) {
		for (int column = 0; column < e->columns; column++) {
			*equations_cell(e, exact, column) = 0;
		}
	}
}

static bool solve_ridge(const struct equations *e, double lambda, double *x) {
	const int rows = e->rows + e->columns + 1;
	double *a = e->scratch, *b = a + rows * e->columns;
	memset(a, 0, (size_t)rows * (size_t)(e->columns + 1) * sizeof *a);
	memcpy(b, e->b, (size_t)e->rows * sizeof *b);
	for (int column = 0; column < e->columns; column++) {
		double *to = a + column * rows;
		memcpy(to, equations_cell(e, 0, column), (size_t)e->rows * sizeof *to);
		to[e->rows + column] = sqrt(lambda);
		to[rows - 1] = sqrt(lambda) * e->tie[column];
	}
	if (!dense_least_squares(a, rows, e->columns, b, 1)) {
		return false;
	}
	memcpy(x, b, (size_t)e->columns * sizeof *x);
	return true;
}

/* The shortest solution by singular values above a cut. */
static bool solve_truncated(const struct equations *e, double cut, double *x) {
	const int least = e->rows < e->columns ? e->rows : e->columns;
	double *u = e->scratch, *s = u + e->rows * least, *vt = s + least;
	if (!dense_svd(e->a, e->rows, e->columns, u, s, vt)) {
		return false;
	}
	memset(x, 0, (size_t)e->columns * sizeof *x);
	for (int k = 0; k < least && s[k] > cut; k++) {
		double along = 0;
		for (int row = 0; row < e->rows; row++) {
			along += u[k * e->rows + row] * e->b[row];
		}
		for (int column = 0; column < e->columns; column++) {
			x[column] += along / s[k] * vt[column * least + k];
		}
	}
	return true;
}

bool equations_solve(const struct equations *e, const struct equations_recipe *recipe, double *x,
	struct error *err) {
	assert(e->rows > 0 && e->columns > 0);
	const double squares = sum_of_squares(e);
	project_all(e);
	bool ok;
	if (recipe->principal) {
		ok = solve_truncated(e, recipe->cut * sqrt(squares), x);
	} else if (recipe->ridge * squares > 0) {
		ok = solve_ridge(e, recipe->ridge * squares / e->columns, x);
	} else {
		ok = solve_truncated(e, ROUNDING * sqrt(squares), x);
	}
	return ok || error_set(err, ERROR_INTERNAL, "a least squares fit did not converge");
}

double metric_arc(const double a[static 3], const double b[static 3]) {
	double across[3];
	vec3_cross(a, b, across);
	return angle_direction(vec3_length(across), vec3_dot(a, b));
}

double metric_chord(const double a[static 3], const double b[static 3]) {
	double between[3];
	vec3_sub(a, b, between);
	return vec3_length(between);
}

double metric_angle(const double a[static 4], const double b[static 4]) {
	double inverse[4], between[4];
	quat_conjugate(a, inverse);
	quat_multiply(inverse, b, between);
	return 2 * angle_direction(vec3_length(between), fabs(between[3]));
}

double kernel_gaussian(double distance, double width) {
	const double share = distance / width;
	return decay_exp(share * share);
}

double kernel_bspline(double distance, double width) {
	const double t = distance / width;
	if (t < 1) {
		return 2.0 / 3 - t * t + t * t * t / 2;
	}
	return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}
