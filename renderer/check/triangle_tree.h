/* Trees of boxes around triangles whose vertices move: what crosses, what is near, what a ray
 * meets. The tree is made once, of the vertices at rest, and fitted again to others. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

struct check_tree;

/* corners [count] of triangles as vertices; positions is [vertex_count][3] and decides the tree's
 * shape. count >= 1. */
struct check_tree *check_tree_create(
	const int (*corners)[3], int count, const float *positions, struct arena *arena);

/* Another one, to be fitted by itself; what it is a copy of must outlive it. */
struct check_tree *check_tree_copy(const struct check_tree *tree, struct arena *arena);

/* Fits the boxes to vertices elsewhere; they are borrowed until the next call. */
void check_tree_fit(struct check_tree *tree, const float *positions);

/* Called with a triangle of each tree whose boxes touch; positions in their lists. */
typedef void check_tree_pair(int a, int b, void *context);

/* Calls back for pairs of triangles whose boxes may touch. Each test of two boxes takes 1 of
 * *budget; returns false where it is spent. */
bool check_tree_pairs(const struct check_tree *a, const struct check_tree *b, check_tree_pair *pair,
	void *context, long *budget);

/* The number of triangles that a ray goes through. */
int check_tree_crossings(
	const struct check_tree *tree, const double from[static 3], const double way[static 3]);

/* The lesser of a distance and that of the nearest point of the triangles. */
double check_tree_distance(const struct check_tree *tree, const double at[static 3], double most);

/* True when a point is in the box around all triangles. */
bool check_tree_holds(const struct check_tree *tree, const double at[static 3]);

/* True when an edge of one of two triangles goes through the other, away from both their borders:
 * by more than 1e-6 of their parameters. */
bool check_triangles_cross(const double a[static 3][3], const double b[static 3][3]);
