/* Fits that take one vertex after another. */
#pragma once

#include "base/arena.h"
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

struct group {
	int joint_count, example_count;
	int *joints;   // [joint_count] rising
	int *examples; // [example_count] rising
};

/* Groups of examples that share a joint which they turn, directly or through others of the group.
 * Each joint and each example is in at most one; so while one group's joints turn, the others'
 * coefficients stay 0. With one_joint only examples that turn one joint count. The verdicts of
 * those left out go into reports ([example_count]). Result in the arena; returns how many. */
int groups_find(const struct fit_input *input, bool one_joint, struct arena *arena,
	struct fit_example_report *reports, struct group **groups);
