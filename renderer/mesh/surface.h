/* A rig's triangles as one surface of points and edges, for what looks beyond a vertex. */
#pragma once

#include <stdint.h>

#include "mesh/csr.h"
#include "mesh/watch.h"
#include "model/rig.h"

/* One palette slot's share in a point. */
struct share {
	int slot;      // the lowest of those that are the same matrix, position in rig->slots
	double weight; // above 0
};

struct mesh_surface {
	int vertex_count, slot_count; // the rig's
	int point_count;
	int *points;            // [vertex_count] each vertex' point
	int *vertices;          // [point_count] the lowest vertex of each point; ascending
	double (*positions)[3]; // [point_count] at rest, of that vertex
	int *share_starts;      // [point_count + 1] where each point's shares start
	struct share *shares;   // of a point: its vertex' influences, of sum 1, in their order
	int triangle_count;     // those that have three points
	int (*triangles)[3];    // [triangle_count] corners as points
	int (*corners)[3];      // [triangle_count] the same corners as vertices of the rig
	int *slots;             // [slot_count] as in struct share, for every slot of the rig
};

/* Welds the rig's vertices (see weld.h) and collects its triangles. NULL with ERROR_TOO_LARGE or
 * the watch's error. */
struct mesh_surface *surface_create(
	const struct rig *rig, const struct watch *watch, struct error *err);
void surface_destroy(struct mesh_surface *surface); // takes NULL

/* The points that share an edge with each point, ascending. */
bool surface_neighbours(const struct mesh_surface *surface, struct csr *csr, struct error *err);

/* The triangles with a corner in each of count groups. groups says which one each vertex of the rig
 * is in: surface->points for the points' own. */
bool surface_triangles_at(const struct mesh_surface *surface, const int *groups, int count,
	struct csr *csr, struct error *err);

/* Twice the area times the normal of a triangle whose points are at positions. */
void surface_cross(const struct mesh_surface *surface, int triangle, const double (*positions)[3],
	double out[static 3]);

/* The weight of a slot in a point. */
double surface_weight(const struct mesh_surface *surface, int point, int slot);

/* The lowest slot with the same joint and the same inverse bind matrix, for every slot: skins that
 * share joints have slots of their own, and so has each primitive that no skin moves.
 * Returns [rig->slot_count] to free(), or NULL with ERROR_TOO_LARGE. */
int *slots_unify(const struct rig *rig, struct error *err);

/* open[i] = whether point i is on an edge that triangles pass more often one way than the other: a
 * border of the surface, or a place where neighbouring triangles are wound against each other.
 * open is [point_count]. Fails with ERROR_TOO_LARGE. */
bool open_points(const struct mesh_surface *surface, bool *open, struct error *err);

/* Lists the edges, each once, though two triangles share it or vertices lie at one point of the
 * surface (welded): *edges is [count] pairs of vertices, lowest first, to free(). Triangles
 * without area may leave edges of no length out. False with ERROR_TOO_LARGE or the watch's error.
 */
bool mesh_edges(const struct rig *rig, const struct watch *watch, uint32_t (**edges)[2],
	size_t *count, struct error *err);
