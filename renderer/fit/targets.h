/* Displacements of rest vertices, each with the coefficient that it is multiplied by: what the
 * methods psd, sbe, eigenskin and sjbbe add to a vertex before their base method skins it. */
#pragma once

#include <stdint.h>

#include "base/error.h"

/* Displacements of some vertices. */
struct target {
	int count;
	int *vertices;    // [count] rising
	float *positions; // [count][3]
	float *normals;   // [count][3]
};

/* Zero-initialised it is empty. Room for count vertices; false with ERROR_TOO_LARGE. */
bool target_init(struct target *target, int count, struct error *err);
void target_finish(struct target *target);

/* All displacements, vertex by vertex, as the displacement stage's data has them. */
struct targets {
	int vertex_count;
	uint32_t *starts;       // [vertex_count + 1] where each vertex' entries begin
	uint32_t *coefficients; // [entries] which coefficient
	float *offsets;         // [entries][6] of the position, then of the normal
};

/* Sorts targets by vertex; the i-th takes coefficient i. Entries that are zero are left out. */
bool targets_init(struct targets *targets, int vertex_count, const struct target *list, int count,
	struct error *err);
void targets_finish(struct targets *targets);
