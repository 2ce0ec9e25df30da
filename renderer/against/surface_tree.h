/* Triangles in a tree of boxes, for the nearest point of a surface. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct surface_tree;

/* Of the triangles of a rig whose vertices are at positions, [vertex_count][3], which are borrowed
 * until it returns. NULL = there is no triangle. */
struct surface_tree *surface_tree_create(
	const struct rig *rig, const float *positions, struct arena *arena);

/* Moves the vertices; quick, and the tree stays good while neighbours stay neighbours. */
void surface_tree_move(struct surface_tree *tree, const float *positions);

/* The distance of a point from the surface, but for triangles with a vertex that is not finite;
 * infinite where there are no others. */
double surface_tree_distance(const struct surface_tree *tree, const double point[static 3]);
