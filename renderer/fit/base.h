/* A base method, seen from outside: what it does to a vertex in a pose is an affine map, as long as
 * the vertex keeps its influences. The map is measured by skinning displaced vertices, so that a
 * fit leads back through the very code that runs later, whatever it is.
 * Holds for methods that blend per vertex (lbs, dqs, sjb, sbs, cor, ...), not for those whose
 * result depends otherwise on where the vertex is. */
#pragma once

#include "fit/example.h"

/* Above this condition a map counts as singular: it was measured in float. */
#define BASE_WORST_CONDITION 1e6

/* The vertices of an example, skinned by a base method. */
struct base_samples {
	const struct rig *rig;
	const struct fit_example *example; // of the last base_sample
	float step;                        // by how much positions were displaced
	float *in;                         // scratch, [vertex_count][3]
	float *ignored;                    // scratch, [vertex_count][3]
	float *positions[4];               // of the rest vertex, and displaced along x, y, z
	float *normals[4];                 // unit, of the normals x, y, z, and the diagonal
};

/* Room for the samples of one example at a time; NULL with ERROR_TOO_LARGE. destroy takes NULL. */
struct base_samples *base_samples_create(const struct rig *rig, struct error *err);
void base_samples_destroy(struct base_samples *samples);

/* Measures the base method in an example's pose. */
bool base_sample(struct base_samples *samples, const struct fit_input *input, int example,
	struct error *err);

/* The displacement of a rest vertex that takes its skinned position to target. *condition is that
 * of the map, >= 1, infinite where it has no inverse; false above BASE_WORST_CONDITION, with the
 * displacement 0. */
bool base_pull_position(const struct base_samples *samples, int vertex,
	const float target[static 3], double displacement[static 3], double *condition);

/* The displacement of the rest normal that makes it the unit normal whose image is target's
 * direction; 0 where nothing leads back. */
void base_pull_normal(const struct base_samples *samples, int vertex, const float target[static 3],
	double displacement[static 3]);
