/* Fits that take one vertex after another. */
#pragma once

#include "fit/example.h"

/* A vertex with the influences that count: those with a weight. */
struct followed_vertex {
	int vertex;         // in the rig
	int count;          // of its influences
	int *slots;         // [count] in rig->slots
	double *weights;    // [count]
	size_t *influences; // [count] in the rig's arrays of influences
};

/* Fits one vertex; context is the caller's. */
typedef bool (*fit_vertex)(void *context, const struct followed_vertex *vertex, struct error *err);

/* The greatest number of influences that any vertex of the rig has room for. */
int fit_influence_max(const struct rig *rig);

/* Calls fit for every vertex, and tells how far it has come. False where fit is, or where it is to
 * stop. */
bool fit_each_vertex(
	const struct fit_input *input, fit_vertex fit, void *context, struct error *err);
