/* How the weights change along the surface, for exact normals. */
#pragma once

#include "mesh/smooth_groups.h"
#include "mesh/surface.h"

/* The gradient of every influence's weight over the rest surface, in the rest space of its
 * primitive: constant on each triangle, averaged by area over those of a vertex' smoothing group,
 * projected onto the plane at right angles to its rest normal. A vertex' gradients sum to zero (to
 * rounding): what of the change belongs to slots that it does not have is taken from its own by
 * weight.
 *
 * out [rig->influence_count][3], as the rig's influences; zero for unused ones and away from
 *     triangles
 * Fails with ERROR_TOO_LARGE.
 * Source: Merry, Marais, Gain, Normal transformations for articulated models, SIGGRAPH 2006
 * sketches; METHODS B3. */
bool weight_gradients(const struct rig *rig, const struct mesh_surface *surface,
	const struct smooth_groups *groups, float (*out)[3], struct error *err);
