/* How the points of animation space change along the surface: for exact normals and tangents of
 * what they are skinned to. */
#pragma once

#include "fit/example.h"

/* The derivative of every influence's point w_k [v] + y_k along x, y and z of the rest pose's
 * space, of which only directions along the surface count: constant on each triangle, averaged by
 * area over those at the vertex that share its normal. The fourth numbers of a vertex sum to 0.
 *
 * deviations [rig->influence_count][4], as anim_fit() makes them
 * out        [rig->influence_count][3][4]; zero for unused influences
 * False with ERROR_TOO_LARGE, or what made it stop. Source: Merry, Marais, Gain 2006; METHODS A19.
 */
bool anim_derivatives(
	const struct fit_input *input, const float *deviations, float *out, struct error *err);
