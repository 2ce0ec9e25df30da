/* Normals of sculpted vertices for which nobody gave any. */
#pragma once

#include "fit/example.h"
#include "mesh/fans.h"
#include "mesh/parts.h"

/* The triangles around each vertex of a rig. */
struct sculpt_faces {
	int vertex_count;
	struct smooth_groups groups;
	struct fans fans;
	double (*before)[3], (*after)[3]; // scratch, [vertex_count]
};

/* Zero-initialised it is empty. False with ERROR_TOO_LARGE. */
bool sculpt_faces_init(struct sculpt_faces *faces, const struct rig *rig, struct error *err);
void sculpt_faces_finish(struct sculpt_faces *faces); // takes a zeroed one

/* Turns each normal like the faces around its vertex turn from where a base method has them to
 * where they were sculpted: so normals that do not follow from the faces keep their difference. All
 * arrays are [vertex_count][3]; normals, unit, are the base method's on entry. */
void sculpt_turn_normals(
	struct sculpt_faces *faces, const float *base, const float *sculpted, float *normals);

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
