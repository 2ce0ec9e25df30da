// Graph Laplacians of a surface.
#include "mesh/laplacian.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

/* Where the edge from one point to another is. It is there. */
static double *weight_of(const struct laplacian *laplacian, int from, int to) {
	const struct csr *edges = &laplacian->edges;
	int low = edges->starts[from], high = edges->starts[from + 1] - 1;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (edges->items[middle] < to) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	assert(edges->items[low] == to);
	return &laplacian->weights[low];
}

static void add_cotangents(
	const struct laplacian *laplacian, const struct mesh_surface *surface, int triangle) {
	const int *corners = surface->triangles[triangle];
	double cross[3];
	surface_cross(surface, triangle, (const double(*)[3])surface->positions, cross);
	const double area = vec3_length(cross);
	for (int k = 0; k < 3 && area > 0; k++) {
		const int from = corners[(k + 1) % 3], to = corners[(k + 2) % 3];
		double a[3], b[3];
		vec3_sub(surface->positions[from], surface->positions[corners[k]], a);
		vec3_sub(surface->positions[to], surface->positions[corners[k]], b);
		const double cotangent = vec3_dot(a, b) / area;
		*weight_of(laplacian, from, to) += cotangent / 2;
		*weight_of(laplacian, to, from) += cotangent / 2;
	}
}

static void weigh(
	struct laplacian *laplacian, const struct mesh_surface *surface, enum laplacian_kind kind) {
	const struct csr *edges = &laplacian->edges;
	for (int i = 0; i < edges->starts[edges->row_count]; i++) {
		laplacian->weights[i] = kind == LAPLACIAN_UNIFORM ? 1 : 0;
	}
	for (int i = 0; kind == LAPLACIAN_COTANGENT && i < surface->triangle_count; i++) {
		add_cotangents(laplacian, surface, i);
	}
	for (int row = 0; row < edges->row_count; row++) {
		for (int i = edges->starts[row]; i < edges->starts[row + 1]; i++) {
			laplacian->weights[i] = fmax(laplacian->weights[i], 0);
			laplacian->sums[row] += laplacian->weights[i];
		}
	}
}

bool laplacian_init(struct laplacian *laplacian, const struct mesh_surface *surface,
	enum laplacian_kind kind, struct error *err) {
	*laplacian = (struct laplacian){0};
	if (!surface_neighbours(surface, &laplacian->edges, err)) {
		return false;
	}
	const size_t edges = (size_t)laplacian->edges.starts[surface->point_count];
	const size_t points = (size_t)surface->point_count;
	laplacian->weights = try_calloc(edges, sizeof *laplacian->weights, "Laplacian", err);
	laplacian->sums = try_calloc(points, sizeof *laplacian->sums, "Laplacian", err);
	if (!laplacian->weights || !laplacian->sums) {
		laplacian_finish(laplacian);
		return false;
	}
	weigh(laplacian, surface, kind);
	return true;
}

void laplacian_finish(struct laplacian *laplacian) {
	csr_finish(&laplacian->edges);
	free(laplacian->weights);
	free(laplacian->sums);
	*laplacian = (struct laplacian){0};
}
