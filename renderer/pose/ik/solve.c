// What the solvers for chains have in common.
#include "pose/ik/solve.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"

/* Steps without getting nearer after which nothing more is expected. */
#define PATIENCE 12

#define DEGREE (3.14159265358979323846 / 180)

static void mark_goals(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		const uint64_t bit = (uint64_t)1 << g;
		double from[3], to[3];
		bool turns = false;
		tree->nodes[goal->end].turns = tree->nodes[goal->end].turns || goal->has_rotation;
		for (int i = goal->end; i >= 0; i = tree->nodes[i].parent) {
			struct ik_node *node = &tree->nodes[i];
			node->below |= bit;
			if (turns) {
				node->goals |= bit;
				node->turns = true;
				ik_position(tree, i, from);
				vec3_sub(from, to, to);
				problem->reach[g] += vec3_length(to);
			}
			ik_position(tree, i, to);
			turns = (turns || i == goal->end) && i != goal->root;
		}
	}
}

static double miss(const struct ik_problem *problem, int g) {
	double at[3];
	ik_position(problem->tree, problem->goals[g].end, at);
	vec3_sub(at, problem->goals[g].target, at);
	return vec3_length(at);
}

/* The sum of distances times weights; 0 when all are within the tolerance. */
static double missing(const struct ik_problem *problem, double tolerance) {
	double sum = 0;
	bool there = true;
	for (int g = 0; g < problem->count; g++) {
		const double distance = miss(problem, g);
		const double within = tolerance > 0 ? tolerance : 1e-3 * problem->reach[g];
		there = there && distance <= within;
		sum += problem->goals[g].weight * distance;
	}
	return there ? 0 : sum;
}

static void keep_limits(struct ik_tree *tree) {
	for (int i = 0; i < tree->count; i++) {
		struct ik_node *node = &tree->nodes[i];
		if (node->turns && node->limit) {
			limit_apply(node->limit, node->rotation);
		}
	}
	ik_tree_update(tree, 0);
}

/* The next node on the way to the goal's end. */
static int step_down(const struct ik_tree *tree, int node, uint64_t bit) {
	int child = tree->nodes[node].first_child;
	while ((tree->nodes[child].below & bit) == 0) {
		child = tree->nodes[child].sibling;
	}
	return child;
}

static void stretch(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	const struct ik_goal *goal = &problem->goals[0];
	double at[3];
	ik_position(tree, goal->root, at);
	vec3_sub(goal->target, at, at);
	if (problem->count > 1 || !(vec3_length(at) > problem->reach[0])) {
		return;
	}
	for (int i = goal->root; i != goal->end; i = step_down(tree, i, 1)) {
		ik_position(tree, step_down(tree, i, 1), at);
		ik_aim(tree, i, at, goal->target);
		ik_tree_update(tree, i);
	}
}

/* Whether every node of a chain lies on the line from its root to its target, and the target is
 * within reach. */
static bool is_stuck(const struct ik_problem *problem, int g, double line[static 3]) {
	const struct ik_tree *tree = problem->tree;
	const struct ik_goal *goal = &problem->goals[g];
	double root[3], v[3], across[3];
	ik_position(tree, goal->root, root);
	vec3_sub(goal->target, root, line);
	if (!(vec3_length(line) < problem->reach[g])) {
		return false;
	}
	if (!vec3_normalize(line)) { // the target is the root: along the chain then
		ik_position(tree, goal->end, line);
		vec3_sub(line, root, line);
		if (!vec3_normalize(line)) {
			return false;
		}
	}
	for (int i = goal->end; i != goal->root; i = tree->nodes[i].parent) {
		ik_position(tree, i, v);
		vec3_sub(v, root, v);
		vec3_cross(v, line, across);
		if (vec3_length(across) > 1e-4 * problem->reach[g]) {
			return false;
		}
	}
	return true;
}

/* A degree about an axis of the world, or of the node's hinge; the other way round where the limit
 * does not let it. */
static void bend(struct ik_tree *tree, int i, const double axis[static 3]) {
	struct ik_node *node = &tree->nodes[i];
	double inverse[12], vector[3], turned[4], moved[3];
	if (node->limit && node->limit->kind == LIMIT_HINGE) {
		quat_rotate(node->limit->rest, node->limit->axis, vector);
	} else if (mat_invert(ik_parent_world(tree, i), inverse)) {
		mat_map_direction(inverse, axis, vector);
	} else {
		return;
	}
	if (!vec3_normalize(vector)) {
		return;
	}
	vec3_scale(vector, DEGREE, vector);
	ik_turn_by(node, vector, DEGREE, turned);
	quat_to_vector(turned, moved);
	if (vec3_length(moved) < 0.5 * DEGREE) {
		vec3_scale(vector, -1, vector);
		ik_turn_by(node, vector, DEGREE, turned);
	}
}

static void bend_straight(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	for (int g = 0; g < problem->count; g++) {
		double line[3], axis[3], x[3] = {0};
		if (!is_stuck(problem, g, line)) {
			continue;
		}
		x[fabs(line[0]) < 0.7 ? 0 : 2] = 1;
		vec3_cross(line, x, axis);
		vec3_cross(axis, line, x); // mostly x, which is what knees turn about
		vec3_normalize(x);
		for (int i = tree->nodes[problem->goals[g].end].parent;;
			i = tree->nodes[i].parent) {
			bend(tree, i, x);
			if (i == problem->goals[g].root) {
				break;
			}
		}
	}
	ik_tree_update(tree, 0);
}

static void save(const struct ik_tree *tree, double (*best)[4]) {
	for (int i = 0; i < tree->count; i++) {
		memcpy(best[i], tree->nodes[i].rotation, sizeof *best);
	}
}

static void restore(struct ik_tree *tree, const double (*best)[4]) {
	for (int i = 0; i < tree->count; i++) {
		memcpy(tree->nodes[i].rotation, best[i], sizeof *best);
	}
	ik_tree_update(tree, 0);
}

static void turn_ends(struct ik_problem *problem) {
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		if (goal->has_rotation) {
			ik_set_world_rotation(problem->tree, goal->end, goal->rotation);
			ik_tree_update(problem->tree, goal->end);
		}
	}
}

void ik_solve(struct ik_problem *problem, ik_step *step, int iterations, double tolerance) {
	struct ik_tree *tree = problem->tree;
	const size_t count = (size_t)tree->count;
	double(*best)[4] = arena_alloc(problem->arena, count, sizeof *best);
	problem->reach = arena_alloc(problem->arena, (size_t)problem->count, sizeof(double));
	mark_goals(problem);
	keep_limits(tree);
	save(tree, best);
	double least = missing(problem, tolerance);
	if (least > 0) {
		stretch(problem);
		bend_straight(problem);
	}
	for (int i = 0, idle = 0; least > 0 && i <= iterations && idle < PATIENCE; i++) {
		if (i > 0) {
			step(problem);
		}
		const double now = missing(problem, tolerance);
		idle = now < least * (1 - 1e-9) ? 0 : idle + 1;
		if (now < least) {
			least = now;
			save(tree, best);
		}
	}
	restore(tree, (const double(*)[4])best);
	turn_ends(problem);
}
