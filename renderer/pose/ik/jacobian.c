// Damped least squares.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/ik/solve.h"

#define MAX_RAD (30 * 3.14159265358979323846 / 180)

/* Of a goal's reach: how far it is asked to go at a time, and the damping there. */
#define STEP_SHARE 0.2
#define DAMPING_SHARE 0.05

/* The equations, three rows for each goal; in the problem's scratch. */
struct equations {
	int rows;
	double *matrix; // [rows][rows] J J^T + l^2, then its lower Cholesky factor
	double *error;  // [rows], then the solution
	double *column; // [rows][3] J of one node
};

static void add_squares(const struct ik_problem *problem, const struct equations *e) {
	for (int i = 0; i < problem->tree->count; i++) {
		if (!problem->tree->nodes[i].goals) {
			continue;
		}
		ik_columns(problem, i, e->column);
		for (int a = 0; a < e->rows; a++) {
			for (int b = 0; b <= a; b++) {
				e->matrix[a * e->rows + b] +=
					vec3_dot(e->column + a * 3, e->column + b * 3);
			}
		}
	}
}

/* The requested change, and its damping. */
static void fill_errors(const struct ik_problem *problem, const struct equations *e) {
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		const double reach = problem->reach[g], most = STEP_SHARE * reach;
		double *error = e->error + g * 3;
		ik_error(problem, g, error);
		const double length = vec3_length(error) / sqrt(goal->weight);
		const double share = length > most ? most / length : 1;
		vec3_scale(error, share, error);
		const double left = most > 0 ? fmin(1, length / most) : 1;
		const double damping = DAMPING_SHARE * reach * fmax(left, 1e-3);
		for (int k = 0; k < 3; k++) {
			const int row = g * 3 + k;
			e->matrix[row * e->rows + row] += damping * damping;
		}
	}
}

/* Cholesky in place, then both triangles. False where the matrix is not positive definite. */
static bool solve_equations(const struct equations *e) {
	const int n = e->rows;
	for (int i = 0; i < n; i++) {
		double *row = e->matrix + i * n;
		for (int k = 0; k <= i; k++) {
			const double *other = e->matrix + k * n;
			double sum = row[k];
			for (int m = 0; m < k; m++) {
				sum -= row[m] * other[m];
			}
			if (k < i) {
				row[k] = sum / other[k];
			} else if (!(sum > 0)) {
				return false;
			} else {
				row[i] = sqrt(sum);
			}
		}
	}
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < i; k++) {
			e->error[i] -= e->matrix[i * n + k] * e->error[k];
		}
		e->error[i] /= e->matrix[i * n + i];
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int k = i + 1; k < n; k++) {
			e->error[i] -= e->matrix[k * n + i] * e->error[k];
		}
		e->error[i] /= e->matrix[i * n + i];
	}
	return true;
}

static struct equations *equations_of(struct ik_problem *problem) {
	if (!problem->scratch) {
		const size_t rows = 3 * (size_t)problem->count;
		struct equations *made = arena_alloc(problem->arena, 1, sizeof *made);
		made->rows = (int)rows;
		made->matrix = arena_alloc(problem->arena, rows * rows, sizeof(double));
		made->error = arena_alloc(problem->arena, rows, sizeof(double));
		made->column = arena_alloc(problem->arena, rows * 3, sizeof(double));
		problem->scratch = made;
	}
	struct equations *e = problem->scratch;
	memset(e->matrix, 0, (size_t)e->rows * (size_t)e->rows * sizeof *e->matrix);
	return e;
}

void ik_step_jacobian(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	const struct equations *e = equations_of(problem);
	add_squares(problem, e);
	fill_errors(problem, e);
	if (!solve_equations(e)) {
		return; // nothing has a length
	}
	// All columns are of the tree as it was: turns in a parent's space leave those below alone.
	for (int i = tree->count - 1; i >= 0; i--) {
		double vector[3] = {0}, turned[4];
		if (!tree->nodes[i].goals) {
			continue;
		}
		ik_columns(problem, i, e->column);
		for (int row = 0; row < e->rows; row++) {
			for (int k = 0; k < 3; k++) {
				vector[k] += e->column[row * 3 + k] * e->error[row];
			}
		}
		ik_turn_by(&tree->nodes[i], vector, MAX_RAD, turned);
	}
	ik_tree_update(tree, 0);
}
