/* Normals of sculpted vertices for which nobody gave any. */
#pragma once

#include "mesh/fans.h"
#include "mesh/smooth_groups.h"

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
