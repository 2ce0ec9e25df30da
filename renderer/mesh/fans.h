/* The triangles around each vertex, as the edges that lie across from it: normals are made from
 * them with no other table. */
#pragma once

#include "mesh/surface.h"

struct fans {
	int count;       // groups of vertices that share their triangles
	int *starts;     // [count + 1] where each group's edges start
	int (*edges)[2]; // vertices b, c of each triangle (a, b, c), a being of the group
};

/* groups says which of count groups each vertex of the rig is in: surface->points or those of
 * smooth_groups. Triangles are in their own order. unify: edges name the lowest vertex of each
 * point instead of the triangle's own. Fails with ERROR_TOO_LARGE, and leaves *fans zero then.
 * fans_finish frees what it holds. */
bool fans_init(struct fans *fans, const struct mesh_surface *surface, const int *groups, int count,
	bool unify, struct error *err);
void fans_finish(struct fans *fans); // takes a zeroed one

/* Twice the sum of area times normal of a group's triangles, seen from a vertex of it; positions
 * is [vertex_count]. */
void fans_normal(const struct fans *fans, int group, const double (*positions)[3], int vertex,
	double out[static 3]);
