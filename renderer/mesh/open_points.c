// The open borders of a surface.
#include "mesh/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct edge {
	int low, high; // points
	int direction; // +1 = from low to high, -1 = back
};

static int compare(const void *a, const void *b) {
	const struct edge *left = a, *right = b;
	if (left->low != right->low) {
		return left->low < right->low ? -1 : 1;
	}
	return (left->high > right->high) - (left->high < right->high);
}

static void list_edges(const struct mesh_surface *surface, struct edge *edges) {
	for (int i = 0; i < surface->triangle_count; i++) {
		for (int k = 0; k < 3; k++) {
			const int from = surface->triangles[i][k];
			const int to = surface->triangles[i][(k + 1) % 3];
			*edges++ = from < to ? (struct edge){from, to, 1}
					     : (struct edge){to, from, -1};
		}
	}
}

bool open_points(const struct mesh_surface *surface, bool *open, struct error *err) {
	const size_t count = (size_t)surface->triangle_count * 3;
	struct edge *edges = try_calloc(count, sizeof *edges, "mesh edges", err);
	if (!edges) {
		return false;
	}
	list_edges(surface, edges);
	qsort(edges, count, sizeof *edges, compare);
	memset(open, 0, (size_t)surface->point_count * sizeof *open);
	for (size_t i = 0, end; i < count; i = end) {
		int balance = 0;
		for (end = i; end < count && compare(&edges[i], &edges[end]) == 0; end++) {
			balance += edges[end].direction;
		}
		if (balance != 0) {
			open[edges[i].low] = open[edges[i].high] = true;
		}
	}
	free(edges);
	return true;
}
