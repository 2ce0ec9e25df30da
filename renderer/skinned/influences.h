/* The influence of joints on vertices. */
#pragma once

#include "model/rig.h"

/* Adds to out, [rig->vertex_count], how much each vertex follows a joint. */
void influences_of_joint(const struct rig *rig, int joint, float *out);

/* Adds to out, [rig->joint_count], the weights that all vertices give each joint. Those that end
 * above 0 are the joints that move vertices. */
void influences_sum(const struct rig *rig, double *out);
