// Cyclic coordinate descent.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/ik/solve.h"

#define MAX_RAD (30 * 3.14159265358979323846 / 180)

/* The mean of the turns that bring the ends of a node's goals on their lines to the targets. */
static bool mean_turn(const struct ik_problem *problem, int node, const double (*ends)[3],
	double vector[static 3]) {
	double sum = 0, v[3];
	memset(vector, 0, 3 * sizeof *vector);
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		if ((problem->tree->nodes[node].goals >> g & 1) == 0 ||
			!ik_aim_vector(problem->tree, node, ends[g], goal->target, v)) {
			continue;
		}
		const double angle = vec3_length(v);
		vec3_scale(v, angle > MAX_RAD ? MAX_RAD / angle : 1, v);
		for (int k = 0; k < 3; k++) {
			vector[k] += goal->weight * v[k];
		}
		sum += goal->weight;
	}
	vec3_scale(vector, sum > 0 ? 1 / sum : 0, vector);
	return sum > 0;
}

/* Takes the ends below a node along with its turn, in its parent's space. */
static void carry(const struct ik_problem *problem, int node, const double turned[static 4],
	double (*ends)[3]) {
	const struct ik_node *at = &problem->tree->nodes[node];
	const double *parent = ik_parent_world(problem->tree, node);
	double inverse[12];
	if (!mat_invert(parent, inverse)) {
		return;
	}
	for (int g = 0; g < problem->count; g++) {
		if (at->below >> g & 1) {
			double v[3];
			mat_map_point(inverse, ends[g], v);
			vec3_sub(v, at->translation, v);
			quat_rotate(turned, v, v);
			for (int k = 0; k < 3; k++) {
				v[k] += at->translation[k];
			}
			mat_map_point(parent, v, ends[g]);
		}
	}
}

void ik_step_ccd(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	double ends[IK_GOALS_MAX][3];
	for (int g = 0; g < problem->count; g++) {
		ik_position(tree, problem->goals[g].end, ends[g]);
	}
	for (int i = tree->count - 1; i >= 0; i--) {
		double vector[3], turned[4];
		if (tree->nodes[i].goals &&
			mean_turn(problem, i, (const double(*)[3])ends, vector)) {
			ik_turn_by(&tree->nodes[i], vector, MAX_RAD, turned);
			carry(problem, i, turned, ends);
		}
	}
	ik_tree_update(tree, 0);
}
