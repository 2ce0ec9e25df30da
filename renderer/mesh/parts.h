/* The pieces that a surface falls into, and which of them enclose a volume. */
#pragma once

#include "mesh/surface.h"
#include "mesh/watch.h"
#include "model/rig.h"

struct parts {
	int count;
	int *points;  // [point_count] each point's part; -1 = no triangle is there
	bool *closed; // [count] every edge is passed as often one way as the other
};

/* Parts are numbered in the order of their lowest points. Fails with ERROR_TOO_LARGE, and leaves
 * *parts zero then. parts_finish frees what it holds. */
bool parts_init(struct parts *parts, const struct mesh_surface *surface, struct error *err);
void parts_finish(struct parts *parts); // takes a zeroed one

/* Vertices of one point whose rest normals differ by no more than this, in degrees. */
#define SMOOTH_GROUP_DEGREES 1

struct smooth_groups {
	int count;
	int *vertices; // [vertex_count] each vertex' group
};

/* Vertices of one point are in one group when their rest normals agree: seams of texture
 * coordinates are smooth, hard edges stay hard. Groups are numbered in the order of their lowest
 * vertices. normals is [vertex_count][3], unit. Fails with ERROR_TOO_LARGE, and leaves *groups zero
 * then. smooth_groups_finish frees what it holds. METHODS B4. */
bool smooth_groups_init(struct smooth_groups *groups, const struct mesh_surface *surface,
	const float *normals, struct error *err);
void smooth_groups_finish(struct smooth_groups *groups); // takes a zeroed one

/* Distances up to this times the diagonal of all positions are none. */
#define WELD_TOLERANCE 1e-6

/* The lowest vertex of the same point, for every vertex.
 *
 * Two vertices of triangles are one point when they lie at the same place, have the same influences
 * (up to 0.01 of weight in all) and are moved alike by morph targets: lips that touch at rest and
 * open in a pose are no seam. Vertices that are not a triangle's stay alone.
 *
 * slots   [rig->slot_count] from slots_unify()
 * Returns [rig->vertex_count] to free(), or NULL with ERROR_TOO_LARGE or the watch's error. */
int *weld_vertices(
	const struct rig *rig, const int *slots, const struct watch *watch, struct error *err);
