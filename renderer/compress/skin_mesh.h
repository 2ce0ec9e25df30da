/* The vertices of a rig under linear blend skinning, as far as two poses leave them apart. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct skin_mesh;

/* In the arena; the rig is borrowed, and has vertices. */
struct skin_mesh *skin_mesh_make(const struct rig *rig, struct arena *arena);

/* The joint that a vertex follows most. */
int skin_mesh_joint(const struct skin_mesh *mesh, int vertex);

/* One of two poses: [joint_count] world matrices, rows of 3x4, and [weight_count] morph weights. */
struct skin_mesh_pose {
	const double (*world)[12];
	const double *weights;
};

/* Sets the two poses that the functions below compare. */
void skin_mesh_compare(struct skin_mesh *mesh, const struct skin_mesh_pose *is,
	const struct skin_mesh_pose *should);

/* Metres between the places of a vertex. METHODS A5, in double precision. */
double skin_mesh_distance(const struct skin_mesh *mesh, int vertex);

/* The vertex that is farthest apart of some, [count] with at least one, and how far, in metres. */
double skin_mesh_farthest_of(
	const struct skin_mesh *mesh, const int *vertices, int count, int *vertex);

/* The same of all vertices. Those that lie together are passed over where the maps of their joints
 * cannot take any of them farther than another one is; so it is quick where some of those are near
 * the farthest that are likely to be, [count] with at least one. */
double skin_mesh_farthest(const struct skin_mesh *mesh, const int *likely, int count, int *vertex);
