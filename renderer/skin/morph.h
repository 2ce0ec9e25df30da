/* Morph targets, applied before skinning. */
#pragma once

#include "model/rig.h"

/* Whether any primitive has a morph target whose weight is not zero.
 * weights is [rig->weight_count] as in a pose. */
bool morph_is_active(const struct rig *rig, const float *weights);

/* The rig's vertices with their morph targets added by weight; normals and the direction of
 * tangents come out unit.
 *
 * weights    [rig->weight_count] morph weights by joint
 * positions  [vertex_count][3], normals [vertex_count][3], the caller's
 * tangents   [vertex_count][4] or NULL; must be NULL where the rig has none
 * Targets are added in their order; one with weight 0 is left out, so that all zero gives the
 * rig's own vertices to the bit. Never fails. METHODS A2. */
void morph_apply(const struct rig *rig, const float *weights, float *positions, float *normals,
	float *tangents);
