/* Graph Laplacians of a surface: for each edge between points a weight >= 0. */
#pragma once

#include <stdbool.h>

#include "mesh/parts.h"
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

/* The gradient of every influence's weight over the rest surface, in the rest space of its
 * primitive: constant on each triangle, averaged by area over those of a vertex' smoothing group,
 * projected onto the plane at right angles to its rest normal. A vertex' gradients sum to zero (to
 * rounding): what of the change belongs to slots that it does not have is taken from its own by
 * weight.
 *
 * out [rig->influence_count][3], as the rig's influences; zero for unused ones and away from
 *     triangles
 * Fails with ERROR_TOO_LARGE.
 * Source: Merry, Marais, Gain, Normal transformations for articulated models, SIGGRAPH 2006
 * sketches; METHODS B3. */
bool weight_gradients(const struct rig *rig, const struct mesh_surface *surface,
	const struct smooth_groups *groups, float (*out)[3], struct error *err);

#define NONNEGATIVE_MAX 16 // unknowns

/* Finds x >= 0 that makes x^T n x - 2 b^T x least.
 *
 * count  unknowns, up to NONNEGATIVE_MAX
 * n      [count][NONNEGATIVE_MAX] symmetric and positive definite: A^T A of least squares
 * b      [count]: A^T y
 * x      [count], written
 * Source: Lawson, Hanson, Solving least squares problems, 1974, chapter 23. */
void nonnegative_solve(int count, const double (*n)[NONNEGATIVE_MAX], const double *b, double *x);
