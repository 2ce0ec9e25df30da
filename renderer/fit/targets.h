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

/* One displacement of a vertex, as a shader reads it. */
struct target_entry {
	uint32_t coefficient;
	float position[3], normal[3];
};

/* All displacements, vertex by vertex. */
struct targets {
	int vertex_count;
	uint32_t *starts;             // [vertex_count + 1] into entries
	struct target_entry *entries; // [starts[vertex_count]]
};

/* Sorts targets by vertex; the i-th takes coefficient i. Entries that are zero are left out. */
bool targets_init(struct targets *targets, int vertex_count, const struct target *list, int count,
	struct error *err);
void targets_finish(struct targets *targets);

/* Adds the displacements to rest vertices, [vertex_count][3]: positions by the first number of
 * each coefficient, normals by the second, and makes displaced normals unit; one that vanishes
 * stays. out may be in. The same bits on every x86-64 machine. */
void targets_displace(const struct targets *targets, const float (*coefficients)[2],
	const float *positions, const float *normals, float *out_positions, float *out_normals);
