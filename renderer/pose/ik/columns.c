// The Jacobian of chains.
#include "pose/ik/columns.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"

void ik_columns(const struct ik_problem *problem, int node, double *column) {
	const struct ik_node *at = &problem->tree->nodes[node];
	const double *parent = ik_parent_world(problem->tree, node);
	double inverse[12];
	const bool turns = mat_invert(parent, inverse);
	memset(column, 0, (size_t)problem->count * 9 * sizeof *column);
	for (int g = 0; g < problem->count && turns; g++) {
		double end[3];
		if ((at->goals >> g & 1) == 0) {
			continue;
		}
		ik_position(problem->tree, problem->goals[g].end, end);
		mat_map_point(inverse, end, end);
		vec3_sub(end, at->translation, end);
		for (int k = 0; k < 3; k++) {
			double axis[3] = {0}, moved[3];
			axis[k] = 1;
			vec3_cross(axis, end, moved);
			mat_map_direction(parent, moved, moved);
			for (int row = 0; row < 3; row++) {
				column[(g * 3 + row) * 3 + k] =
					sqrt(problem->goals[g].weight) * moved[row];
			}
		}
	}
}

void ik_error(const struct ik_problem *problem, int goal, double error[static 3]) {
	const struct ik_goal *of = &problem->goals[goal];
	ik_position(problem->tree, of->end, error);
	vec3_sub(of->target, error, error);
	vec3_scale(error, sqrt(of->weight), error);
}
