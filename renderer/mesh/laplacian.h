/* Graph Laplacians of a surface: for each edge between points a weight >= 0. */
#pragma once

#include "mesh/surface.h"

enum laplacian_kind {
	LAPLACIAN_UNIFORM,   // every edge weighs 1
	LAPLACIAN_COTANGENT, // half the cotangents of the angles across it; negative sums count as
			     // 0
};

/* L = D - A: A has the weights of the edges, D their sums on its diagonal. */
struct laplacian {
	struct csr edges; // a row to a point: its neighbours
	double *weights;  // [edges.starts[row_count]] as edges.items; symmetric
	double *sums;     // [row_count] D; 0 = the point is alone
};

/* Fails with ERROR_TOO_LARGE, and leaves *laplacian zero then. laplacian_finish frees what it
 * holds. Source of the cotangents: Pinkall, Polthier, Computing discrete minimal surfaces and their
 * conjugates, Experimental Mathematics 2 (1993). */
bool laplacian_init(struct laplacian *laplacian, const struct mesh_surface *surface,
	enum laplacian_kind kind, struct error *err);
void laplacian_finish(struct laplacian *laplacian); // takes a zeroed one
