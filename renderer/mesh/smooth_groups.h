/* Which vertices share one normal where normals are made anew from the faces. */
#pragma once

#include "mesh/surface.h"

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
