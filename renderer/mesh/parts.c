// The pieces that a surface falls into.
#include "mesh/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/open_points.h"

/* The root of a point's tree, which gets shorter on the way. */
static int find_root(int *parents, int point) {
	while (parents[point] != point) {
		parents[point] = parents[parents[point]];
		point = parents[point];
	}
	return point;
}

/* The lower root stays one. */
static void join(int *parents, int a, int b) {
	const int left = find_root(parents, a), right = find_root(parents, b);
	if (left < right) {
		parents[right] = left;
	} else {
		parents[left] = right;
	}
}

/* Turns parents into numbers of parts. A root is lower than whatever hangs on it. */
static void number_parts(
	struct parts *parts, const struct mesh_surface *surface, const bool *used) {
	int *parents = parts->points;
	for (int i = 0; i < surface->point_count; i++) {
		parents[i] = find_root(parents, i);
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
	for (int i = 0; i < surface->point_count; i++) {
		parts->points[i] = i;
	}
	for (int i = 0; i < surface->triangle_count; i++) {
		const int *corners = surface->triangles[i];
		join(parts->points, corners[0], corners[1]);
		join(parts->points, corners[0], corners[2]);
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
