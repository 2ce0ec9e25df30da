// Forward and backward reaching.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/ik/solve.h"

/* A node on its way. */
struct reaching {
	double from[3]; // where it was
	double to[3];   // where it is pulled
	double length;  // of the bone that leads to it
	double weight;  // of all goals that pull at it
	bool moves;     // some node above turns
};

/* The point at a length from one point towards another; along "else" where they are the same. */
static void reach_out(const double from[static 3], const double to[static 3],
	const double otherwise[static 3], double length, double out[static 3]) {
	double v[3];
	vec3_sub(to, from, v);
	if (!vec3_normalize(v)) {
		memcpy(v, otherwise, sizeof v);
		vec3_normalize(v);
	}
	for (int i = 0; i < 3; i++) {
		out[i] = from[i] + length * v[i];
	}
}

static void begin(const struct ik_problem *problem, struct reaching *nodes) {
	const struct ik_tree *tree = problem->tree;
	for (int i = 0; i < tree->count; i++) {
		const int parent = tree->nodes[i].parent;
		nodes[i] = (struct reaching){0};
		ik_position(tree, i, nodes[i].from);
		if (parent >= 0) {
			double bone[3];
			vec3_sub(nodes[i].from, nodes[parent].from, bone);
			nodes[i].length = vec3_length(bone);
			nodes[i].moves = nodes[parent].moves || tree->nodes[parent].goals;
		}
	}
}

static void pull(struct reaching *node, const double to[static 3], double weight) {
	for (int k = 0; k < 3; k++) {
		node->to[k] += weight * to[k];
	}
	node->weight += weight;
}

/* From the ends to the roots: everyone to the mean of where its children and its own goals pull. */
static void reach_back(const struct ik_problem *problem, struct reaching *nodes) {
	const struct ik_tree *tree = problem->tree;
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		pull(&nodes[goal->end], goal->target, goal->weight);
	}
	for (int i = tree->count - 1; i >= 0; i--) {
		struct reaching *node = &nodes[i];
		const int parent = tree->nodes[i].parent;
		if (!(node->weight > 0)) {
			continue;
		}
		vec3_scale(node->to, 1 / node->weight, node->to);
		if (parent >= 0) {
			double away[3], point[3];
			vec3_sub(nodes[parent].from, node->from, away);
			reach_out(node->to, nodes[parent].from, away, node->length, point);
			pull(&nodes[parent], point, node->weight);
		}
	}
}

/* From the roots, which stay, to the ends. */
static void reach_forward(const struct ik_problem *problem, struct reaching *nodes) {
	const struct ik_tree *tree = problem->tree;
	for (int i = 0; i < tree->count; i++) {
		struct reaching *node = &nodes[i];
		if (!node->moves || !(node->weight > 0)) {
			memcpy(node->to, node->from, sizeof node->to);
			continue;
		}
		const struct reaching *parent = &nodes[tree->nodes[i].parent];
		double along[3];
		vec3_sub(node->from, parent->from, along);
		reach_out(parent->to, node->to, along, node->length, node->to);
	}
}

/* Turns a node to where its children have gone, in the mean. */
static void turn(struct ik_tree *tree, int i, const struct reaching *nodes) {
	double vector[3] = {0}, sum = 0, turned[4];
	for (int child = tree->nodes[i].first_child; child >= 0;
		child = tree->nodes[child].sibling) {
		double at[3], v[3];
		ik_node_update(tree, child);
		ik_position(tree, child, at);
		if (nodes[child].weight > 0 && ik_aim_vector(tree, i, at, nodes[child].to, v)) {
			for (int k = 0; k < 3; k++) {
				vector[k] += nodes[child].weight * v[k];
			}
			sum += nodes[child].weight;
		}
	}
	if (sum > 0) {
		vec3_scale(vector, 1 / sum, vector);
		ik_turn_by(&tree->nodes[i], vector, 4, turned);
	}
}

void ik_step_fabrik(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	if (!problem->scratch) {
		problem->scratch =
			arena_alloc(problem->arena, (size_t)tree->count, sizeof(struct reaching));
	}
	struct reaching *nodes = problem->scratch;
	begin(problem, nodes);
	reach_back(problem, nodes);
	reach_forward(problem, nodes);
	for (int i = 0; i < tree->count; i++) {
		ik_node_update(tree, i);
		if (tree->nodes[i].goals) {
			turn(tree, i, nodes);
			ik_node_update(tree, i);
		}
	}
}
