// LAPACK, for fits.
#include "fit/dense.h"

#include "algebra/libraries.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

double dense_invert(double *a, int n) {
	assert(n > 0);
	lapack_int *pivots = xcalloc((size_t)n, sizeof *pivots);
	const double norm = algebra_lapack()->dlange(LAPACK_COL_MAJOR, '1', n, n, a, n);
	double rcond = 0;
	const bool ok = algebra_lapack()->dgetrf(LAPACK_COL_MAJOR, n, n, a, n, pivots) == 0 &&
		algebra_lapack()->dgecon(LAPACK_COL_MAJOR, '1', n, a, n, norm, &rcond) == 0 &&
		algebra_lapack()->dgetri(LAPACK_COL_MAJOR, n, a, n, pivots) == 0;
	free(pivots);
	return ok && isfinite(rcond) ? rcond : 0;
}

bool dense_least_squares(double *a, int rows, int columns, double *b, int count) {
	assert(rows >= columns && columns > 0 && count > 0);
	return algebra_lapack()->dgels(
		       LAPACK_COL_MAJOR, 'N', rows, columns, count, a, rows, b, rows) == 0;
}

int dense_least_squares_truncated(
	double *a, int rows, int columns, double *b, int count, double cut) {
	assert(rows > 0 && columns > 0 && count > 0 && cut >= 0 && cut < 1);
	const int longer = rows > columns ? rows : columns, shorter = rows + columns - longer;
	double *s = xcalloc((size_t)shorter, sizeof *s);
	lapack_int rank = -1;
	const lapack_int failed = algebra_lapack()->dgelsd(
		LAPACK_COL_MAJOR, rows, columns, count, a, rows, b, longer, s, cut, &rank);
	free(s);
	return failed ? -1 : (int)rank;
}

bool dense_svd(double *a, int rows, int columns, double *u, double *s, double *vt) {
	assert(rows > 0 && columns > 0);
	const int k = rows < columns ? rows : columns;
	return algebra_lapack()->dgesdd(
		       LAPACK_COL_MAJOR, 'S', rows, columns, a, rows, s, u, rows, vt, k) == 0;
}
