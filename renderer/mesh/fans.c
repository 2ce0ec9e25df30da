// The triangles around each vertex, as the edges that lie across from it.
#include "mesh/fans.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

/* Adds the edge across from the first of a triangle's corners that is in the group. */
static void add_edge(struct fans *fans, const struct mesh_surface *surface, const int *groups,
	int group, int triangle, bool unify) {
	const int *corners = surface->corners[triangle], *points = surface->triangles[triangle];
	int k = 0;
	while (groups[corners[k]] != group) {
		k++;
	}
	int *edge = fans->edges[fans->starts[group + 1]++];
	for (int i = 0; i < 2; i++) {
		const int corner = (k + 1 + i) % 3;
		edge[i] = unify ? surface->vertices[points[corner]] : corners[corner];
	}
}

bool fans_init(struct fans *fans, const struct mesh_surface *surface, const int *groups, int count,
	bool unify, struct error *err) {
	struct csr triangles;
	*fans = (struct fans){.count = count};
	if (!surface_triangles_at(surface, groups, count, &triangles, err)) {
		return false;
	}
	const size_t edge_count = (size_t)triangles.starts[count];
	fans->starts = try_calloc((size_t)count + 1, sizeof *fans->starts, "mesh fans", err);
	fans->edges = try_calloc(edge_count, sizeof *fans->edges, "mesh fans", err);
	const bool done = fans->starts && fans->edges;
	for (int group = 0; done && group < count; group++) {
		fans->starts[group + 1] = fans->starts[group];
		for (int i = triangles.starts[group]; i < triangles.starts[group + 1]; i++) {
			add_edge(fans, surface, groups, group, triangles.items[i], unify);
		}
	}
	csr_finish(&triangles);
	if (!done) {
		fans_finish(fans);
	}
	return done;
}

void fans_finish(struct fans *fans) {
	free(fans->starts);
	free(fans->edges);
	*fans = (struct fans){0};
}

void fans_normal(const struct fans *fans, int group, const double (*positions)[3], int vertex,
	double out[static 3]) {
	out[0] = out[1] = out[2] = 0;
	for (int i = fans->starts[group]; i < fans->starts[group + 1]; i++) {
		double ab[3], ac[3], cross[3];
		vec3_sub(positions[fans->edges[i][0]], positions[vertex], ab);
		vec3_sub(positions[fans->edges[i][1]], positions[vertex], ac);
		vec3_cross(ab, ac, cross);
		for (int k = 0; k < 3; k++) {
			out[k] += cross[k];
		}
	}
}
