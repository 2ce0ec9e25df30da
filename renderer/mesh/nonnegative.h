/* Small least squares problems whose unknowns may not be negative. */
#pragma once

#include <stdbool.h>

#define NONNEGATIVE_MAX 16 // unknowns

/* Finds x >= 0 that makes x^T n x - 2 b^T x least.
 *
 * count  unknowns, up to NONNEGATIVE_MAX
 * n      [count][NONNEGATIVE_MAX] symmetric and positive definite: A^T A of least squares
 * b      [count]: A^T y
 * x      [count], written
 * Source: Lawson, Hanson, Solving least squares problems, 1974, chapter 23. */
void nonnegative_solve(int count, const double (*n)[NONNEGATIVE_MAX], const double *b, double *x);
