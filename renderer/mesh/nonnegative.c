// Small least squares problems whose unknowns may not be negative.
#include "mesh/nonnegative.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "algebra/libraries.h"

/* A gradient below this share of the greatest |b| draws no unknown in. */
#define GRADIENT_LEAST 1e-12

struct problem {
	int count;
	const double (*n)[NONNEGATIVE_MAX];
	const double *b;
	bool in[NONNEGATIVE_MAX]; // unknowns that may be above 0
};

/* The unknowns that are in, as if they were free; the others 0. */
static void solve_free(const struct problem *problem, double *x) {
	double matrix[NONNEGATIVE_MAX * NONNEGATIVE_MAX], right[NONNEGATIVE_MAX];
	int names[NONNEGATIVE_MAX], size = 0;
	for (int i = 0; i < problem->count; i++) {
		if (problem->in[i]) {
			right[size] = problem->b[i];
			names[size++] = i;
		}
	}
	for (int i = 0; i < size * size; i++) {
		matrix[i] = problem->n[names[i / size]][names[i % size]];
	}
	const int info =
		algebra_lapack()->dposv(LAPACK_ROW_MAJOR, 'U', size, 1, matrix, size, right, 1);
	assert(info == 0);
	memset(x, 0, (size_t)problem->count * sizeof *x);
	for (int i = 0; i < size; i++) {
		x[names[i]] = right[i];
	}
}

/* The unknown outside that would lower the sum most if it rose; -1 = none would. */
static int find_entering(const struct problem *problem, const double *x) {
	double most = 0, scale = 0;
	int entering = -1;
	for (int i = 0; i < problem->count; i++) {
		double gradient = problem->b[i];
		for (int k = 0; k < problem->count; k++) {
			gradient -= problem->n[i][k] * x[k];
		}
		scale = fmax(scale, fabs(problem->b[i]));
		if (!problem->in[i] && gradient > most) {
			most = gradient;
			entering = i;
		}
	}
	return most > GRADIENT_LEAST * scale ? entering : -1;
}

/* Goes from x towards the free solution until the first unknown is 0, which goes out. False when
 * the free solution was reached. */
static bool step_back(struct problem *problem, double *x, const double *target) {
	double share = 1;
	int out = -1;
	for (int i = 0; i < problem->count; i++) {
		if (problem->in[i] && target[i] <= 0 && x[i] <= share * (x[i] - target[i])) {
			share = x[i] / (x[i] - target[i]);
			out = i;
		}
	}
	for (int i = 0; i < problem->count; i++) {
		x[i] += share * (target[i] - x[i]);
	}
	if (out >= 0) {
		x[out] = 0;
		problem->in[out] = false;
	}
	return out >= 0;
}

void nonnegative_solve(int count, const double (*n)[NONNEGATIVE_MAX], const double *b, double *x) {
	assert(count <= NONNEGATIVE_MAX);
	struct problem problem = {.count = count, .n = n, .b = b};
	memset(x, 0, (size_t)count * sizeof *x);
	// Each round ends lower than the one before: there are only so many sets of unknowns, and
	// few are visited.
	for (int round = 0; round < 8 * NONNEGATIVE_MAX; round++) {
		const int entering = find_entering(&problem, x);
		if (entering < 0) {
			return;
		}
		problem.in[entering] = true;
		double target[NONNEGATIVE_MAX];
		do {
			solve_free(&problem, target);
		} while (step_back(&problem, x, target));
	}
}
