// Which vertices share one normal where normals are made anew from the faces.
#include "mesh/smooth_groups.h"

#include <stdlib.h>

#include "base/memory.h"

#define COSINE 0.99984769515639123916 // of SMOOTH_GROUP_DEGREES

static double cosine(const float *normals, int a, int b) {
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		sum += (double)normals[(size_t)a * 3 + (size_t)i] *
			(double)normals[(size_t)b * 3 + (size_t)i];
	}
	return sum;
}

/* The first of a point's groups whose first vertex has the normal; -1 = none. next[] chains those
 * first vertices. */
static int find(const float *normals, const int *next, int first, int vertex) {
	int found = first;
	while (found >= 0 && cosine(normals, found, vertex) < COSINE) {
		found = next[found];
	}
	return found;
}

bool smooth_groups_init(struct smooth_groups *groups, const struct mesh_surface *surface,
	const float *normals, struct error *err) {
	const size_t count = (size_t)surface->vertex_count;
	*groups = (struct smooth_groups){0};
	groups->vertices = try_calloc(count, sizeof *groups->vertices, "smoothing groups", err);
	int *next = try_calloc(count, sizeof *next, "smoothing groups", err);
	if (!groups->vertices || !next) {
		free(next);
		smooth_groups_finish(groups);
		return false;
	}
	for (int v = 0; v < surface->vertex_count; v++) {
		const int lowest = surface->vertices[surface->points[v]];
		const int found = lowest == v ? -1 : find(normals, next, lowest, v);
		if (found >= 0) {
			groups->vertices[v] = groups->vertices[found];
			continue;
		}
		groups->vertices[v] = groups->count++;
		next[v] = lowest == v ? -1 : next[lowest];
		if (lowest != v) {
			next[lowest] = v;
		}
	}
	free(next);
	return true;
}

void smooth_groups_finish(struct smooth_groups *groups) {
	free(groups->vertices);
	*groups = (struct smooth_groups){0};
}
