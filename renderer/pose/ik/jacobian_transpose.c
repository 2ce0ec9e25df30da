// The Jacobian's transpose.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/ik/solve.h"

/* That a node may turn by in one step. */
#define MAX_RAD (30 * 3.14159265358979323846 / 180)

struct transpose {
	int rows;       // three for each goal
	double *error;  // [rows] e, each goal's by the root of its weight
	double *moved;  // [rows] J J^T e
	double *column; // [rows][3] J of one node
	double *turns;  // [nodes][3] J^T e
};

static const struct transpose *transpose_of(struct ik_problem *problem) {
	if (!problem->scratch) {
		const size_t rows = 3 * (size_t)problem->count;
		struct transpose *made = arena_alloc(problem->arena, 1, sizeof *made);
		made->rows = (int)rows;
		made->error = arena_alloc(problem->arena, rows, sizeof(double));
		made->moved = arena_alloc(problem->arena, rows, sizeof(double));
		made->column = arena_alloc(problem->arena, rows * 3, sizeof(double));
		made->turns = arena_alloc(
			problem->arena, (size_t)problem->tree->count * 3, sizeof(double));
		problem->scratch = made;
	}
	return problem->scratch;
}

/* J^T e of one node, and what the ends move by when it turns so. */
static void add_node(const struct ik_problem *problem, const struct transpose *t, int node) {
	double *turn = t->turns + node * 3;
	ik_columns(problem, node, t->column);
	for (int row = 0; row < t->rows; row++) {
		for (int k = 0; k < 3; k++) {
			turn[k] += t->column[row * 3 + k] * t->error[row];
		}
	}
	for (int row = 0; row < t->rows; row++) {
		t->moved[row] += vec3_dot(t->column + row * 3, turn);
	}
}

/* The step along J^T e: what the ends then move by is as near to e as it can be, as long as
 * no node turns by more than it may. 0 = nothing moves. */
static double step_length(const struct ik_problem *problem, const struct transpose *t) {
	double along = 0, square = 0, largest = 0;
	for (int row = 0; row < t->rows; row++) {
		along += t->error[row] * t->moved[row];
		square += t->moved[row] * t->moved[row];
	}
	for (int i = 0; i < problem->tree->count; i++) {
		largest = fmax(largest, vec3_length(t->turns + i * 3));
	}
	const double alpha = along / square;
	return isfinite(alpha) && alpha > 0 ? fmin(alpha, MAX_RAD / largest) : 0;
}

void ik_step_jacobian_transpose(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	const struct transpose *t = transpose_of(problem);
	memset(t->moved, 0, (size_t)t->rows * sizeof *t->moved);
	memset(t->turns, 0, (size_t)tree->count * 3 * sizeof *t->turns);
	for (int g = 0; g < problem->count; g++) {
		ik_error(problem, g, t->error + g * 3);
	}
	for (int i = 0; i < tree->count; i++) {
		if (tree->nodes[i].goals) {
			add_node(problem, t, i);
		}
	}
	const double alpha = step_length(problem, t);
	// From below: turns in a parent's space leave those below alone.
	for (int i = tree->count - 1; i >= 0 && alpha > 0; i--) {
		double turn[3], turned[4];
		if (tree->nodes[i].goals) {
			vec3_scale(t->turns + i * 3, alpha, turn);
			ik_turn_by(&tree->nodes[i], turn, MAX_RAD, turned);
		}
	}
	ik_tree_update(tree, 0);
}
