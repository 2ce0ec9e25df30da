/* The displacement stage: rest vertices moved by sums of offsets, v + sum of c_a d_a(v), where the
 * coefficients c come from the pose and the offsets d from the method's data. Normals likewise,
 * made unit again. Its twin is displace.comp. */
#pragma once

#include "model/rig.h"
#include "model/skin_data.h"

/* Sections that the data of every method with this stage begins with. */
enum displacement_section {
	DISPLACEMENT_STARTS,       // words [vertex_count + 1]: where each vertex' entries begin
	DISPLACEMENT_COEFFICIENTS, // words [entries]: which coefficient
	DISPLACEMENT_OFFSETS,      // floats [entries][6]: of the position, then of the normal
	DISPLACEMENT_SECTIONS,     // the method's own follow
};

/* Moves positions and normals, [vertex_count][3] each, in place; coefficients as the stage's
 * coefficients() made them. */
void displacement_apply(const struct rig *rig, const struct skin_data *data,
	const float *coefficients, float *positions, float *normals);
