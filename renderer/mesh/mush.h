/* The data of delta mush for a rig at rest: how the surface is smoothed, and the details that
 * smoothing takes away. Source: Mancewicz, Derksen, Rijpkema, Wilson, Delta Mush, DigiPro 2014;
 * METHODS A20. */
#pragma once

#include "mesh/fans.h"
#include "mesh/surface.h"

struct mush_settings {
	int iterations; // >= 0
	double lambda;  // (0, 1]: how far a point goes to the mean of its neighbours each time
	bool pin;       // points of open edges stay where they are
};

/* All vertices of one point share its neighbours and its triangles, named by the lowest vertices of
 * their points. */
struct mush {
	struct csr neighbours; // a row to a point: vertices
	bool *pinned;          // [point_count] the point is not smoothed
	struct fans fans;      // of the points
	int *guides; // [point_count] the vertex whose edge gives the frame its t; -1 = no frame:
		     // see mush.c
	double (*deltas)[3];    // [vertex_count] rest less smoothed rest, in the frame
	double (*frames)[3][3]; // [vertex_count] t, n, b of the smoothed rest; zero without a frame
};

/* Fails with ERROR_TOO_LARGE or the watch's error, and leaves *mush zero then. mush_finish frees
 * what it holds. */
bool mush_init(struct mush *mush, const struct rig *rig, const struct mesh_surface *surface,
	const struct mush_settings *settings, const struct watch *watch, struct error *err);
void mush_finish(struct mush *mush); // takes a zeroed one
