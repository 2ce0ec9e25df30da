/* The Jacobian of chains: where the ends of goals go as nodes turn, each goal by the root of its
 * weight. METHODS C.15. */
#pragma once

#include "pose/ik/solve.h"

/* The columns of one node: where the ends go when it turns about the three axes of its parent.
 *
 * column  [goals][3][3], rows first; zero for goals that the node does not turn for */
void ik_columns(const struct ik_problem *problem, int node, double *column);

/* From a goal's end to its target, by the root of its weight. */
void ik_error(const struct ik_problem *problem, int goal, double error[static 3]);
