// The pieces that a surface falls into.
#include "mesh/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/disjoint_sets.h"
#include "mesh/surface.h"

/* Turns parents into numbers of parts. A root is lower than whatever hangs on it. */
static void number_parts(
	struct parts *parts, const struct mesh_surface *surface, const bool *used) {
	int *parents = parts->points;
	for (int i = 0; i < surface->point_count; i++) {
		parents[i] = disjoint_sets_find(parents, i);
	}
	for (int i = 0; i < surface->point_count; i++) {
		if (!used[i]) {
			parents[i] = -1;
		} else {
			parents[i] = parents[i] == i ? parts->count++ : parents[parents[i]];
		}
	}
}

static bool find_parts(struct parts *parts, const struct mesh_surface *surface, struct error *err) {
	bool *used = try_calloc((size_t)surface->point_count, sizeof *used, "mesh parts", err);
	if (!used) {
		return false;
	}
	disjoint_sets_init(parts->points, surface->point_count);
	for (int i = 0; i < surface->triangle_count; i++) {
		const int *corners = surface->triangles[i];
		disjoint_sets_join(parts->points, corners[0], corners[1]);
		disjoint_sets_join(parts->points, corners[0], corners[2]);
		used[corners[0]] = used[corners[1]] = used[corners[2]] = true;
	}
	number_parts(parts, surface, used);
	free(used);
	return true;
}

static bool find_closed(
	struct parts *parts, const struct mesh_surface *surface, struct error *err) {
	bool *open = try_calloc((size_t)surface->point_count, sizeof *open, "mesh parts", err);
	const bool done = open && open_points(surface, open, err);
	for (int i = 0; i < parts->count; i++) {
		parts->closed[i] = true;
	}
	for (int i = 0; done && i < surface->point_count; i++) {
		if (open[i]) {
			parts->closed[parts->points[i]] = false;
		}
	}
	free(open);
	return done;
}

bool parts_init(struct parts *parts, const struct mesh_surface *surface, struct error *err) {
	*parts = (struct parts){0};
	parts->points =
		try_calloc((size_t)surface->point_count, sizeof *parts->points, "mesh parts", err);
	if (!parts->points || !find_parts(parts, surface, err)) {
		goto fail;
	}
	parts->closed = try_calloc((size_t)parts->count, sizeof *parts->closed, "mesh parts", err);
	if (!parts->closed || !find_closed(parts, surface, err)) {
		goto fail;
	}
	return true;
fail:
	parts_finish(parts);
	return false;
}

void parts_finish(struct parts *parts) {
	free(parts->points);
	free(parts->closed);
	*parts = (struct parts){0};
}

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
