// Least squares for small systems, with a ridge or by principal components.
#include "fit/equations.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/dense.h"

/* How much heavier an exact row weighs: its error is 1e-6 of what the others would leave. */
#define EXACT_WEIGHT 1e3

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
static double trace(const struct equations *e) {
	double sum = 0;
	for (int i = 0; i < e->rows * e->columns; i++) {
		sum += e->a[i] * e->a[i];
	}
	return sum;
}

/* The matrix and the right side on top of room for more rows, exact rows weighed. */
static void stack(const struct equations *e, int rows, double *a, double *b) {
	memset(a, 0, (size_t)rows * (size_t)e->columns * sizeof *a);
	memset(b, 0, (size_t)rows * sizeof *b);
	for (int row = 0; row < e->rows; row++) {
		const double weight = row < e->exact_rows ? EXACT_WEIGHT : 1;
		for (int column = 0; column < e->columns; column++) {
			a[column * rows + row] = weight * *equations_cell(e, row, column);
		}
		b[row] = weight * e->b[row];
	}
}

static bool solve_ridge(const struct equations *e, double lambda, double *x) {
	const int rows = e->rows + e->columns + 1;
	double *a = e->scratch, *b = a + rows * e->columns;
	stack(e, rows, a, b);
	for (int column = 0; column < e->columns; column++) {
		a[column * rows + e->rows + column] = sqrt(lambda);
		a[column * rows + rows - 1] = sqrt(lambda) * e->tie[column];
	}
	if (!dense_least_squares(a, rows, e->columns, b, 1)) {
		return false;
	}
	memcpy(x, b, (size_t)e->columns * sizeof *x);
	return true;
}

/* Without weights on exact rows, which would hide all else below the cut. */
static bool solve_truncated(const struct equations *e, double cut, double *x) {
	double *b = e->scratch;
	memcpy(b, e->b, (size_t)e->rows * sizeof *b);
	if (dense_least_squares_truncated(e->a, e->rows, e->columns, b, 1, cut) < 0) {
		return false;
	}
	memcpy(x, b, (size_t)e->columns * sizeof *x);
	return true;
}

bool equations_solve(const struct equations *e, const struct equations_recipe *recipe, double *x,
	struct error *err) {
	assert(e->rows > 0 && e->columns > 0);
	const double lambda = recipe->ridge * trace(e) / e->columns;
	bool fine;
	if (recipe->principal) {
		fine = solve_truncated(e, recipe->cut, x);
	} else if (lambda > 0) {
		fine = solve_ridge(e, lambda, x);
	} else {
		fine = solve_truncated(e, ROUNDING, x);
	}
	return fine || error_set(err, ERROR_INTERNAL, "a least squares fit did not converge");
}
