/* The influence of joints on vertices. */
#pragma once

#include "model/rig.h"

/* Adds to out, [rig->vertex_count], how much each vertex follows a joint. */
void influences_of_joint(const struct rig *rig, int joint, float *out);

/* The weights of a primitive's vertex that are not 0; these come first. */
int influences_count(const struct rig *rig, const struct primitive *primitive, size_t vertex);

/* Adds to out, [rig->joint_count], the weights that all vertices give each joint. Those that end
 * above 0 are the joints that move vertices. */
void influences_sum(const struct rig *rig, double *out);
