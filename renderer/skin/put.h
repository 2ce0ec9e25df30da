/* Writing vertices in finish stages: one at a time, in double precision. */
#pragma once

#include "skin/method.h"

/* Three floats as doubles. */
static inline void put_load(const float *from, double to[static 3]) {
	for (int i = 0; i < 3; i++) {
		to[i] = (double)from[i];
	}
}

/* Writes a vertex' normal, made unit, and its tangent, made unit and at right angles to it (0.10).
 * tangent is only read where tangents are wanted. A normal that is no longer than the least leaves
 * both as they are. */
void put_normal(const struct skin_job *job, size_t vertex, const double normal[static 3],
	double least, const double tangent[static 3]);
