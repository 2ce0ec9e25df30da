/* Dense linear algebra for fits: LAPACK behind what they ask for. Matrices are doubles by columns,
 * a[column * rows + row]. Sizes are the caller's promise (assert), numbers need not be finite: what
 * is not comes out as singular or as failure. Any thread. */
#pragma once

#include <stdbool.h>

/* Replaces a [n][n] by its inverse: LU with partial pivoting. Returns the reciprocal condition
 * number in the 1-norm, in [0, 1]; where it is 0, a is singular and its content undefined. */
double dense_invert(double *a, int n);

/* The x that makes |a x - b| least, by QR: a is [rows][columns], rows >= columns; b has count
 * columns of rows numbers and gets x in the first numbers of each. a is destroyed. False where a
 * lacks rank. */
bool dense_least_squares(double *a, int rows, int columns, double *b, int count);

/* The shortest of all x that make |a x - b| least, with singular values of a at or below cut times
 * the greatest taken for 0: cut in [0, 1). Columns of b are as long as the greater of rows and
 * columns. a is destroyed. Returns the rank, -1 where the iteration failed. */
int dense_least_squares_truncated(
	double *a, int rows, int columns, double *b, int count, double cut);

/* a [rows][columns] = u diag(s) vt with k = the lesser of both: u [rows][k], s [k] falling, vt
 * [k][columns] (k rows). a is destroyed. False where the iteration failed. */
bool dense_svd(double *a, int rows, int columns, double *u, double *s, double *vt);
