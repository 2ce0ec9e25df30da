/* The triangles of a surface by the joint that they follow, and those of distant joints that go
 * through each other. */
#pragma once

#include "check/asset.h"
#include "check/triangle_tree.h"

/* Joints with triangles that are held against each other. */
#define CHECK_GROUPS_MAX 512

/* Triangles that follow one joint. */
struct check_group {
	int joint, count;
	int (*corners)[3]; // [count]
	int *triangles;    // [count] positions in the surface's
	int *vertices;     // [vertex_count] that they have, each once
	int vertex_count;
	struct check_tree *tree;
	float low[3], high[3]; // box around them at the last positions
	bool fitted;           // the tree is that of these positions
	bool crossed;          // some triangle is marked
};

struct check_groups {
	const struct check_asset *asset;
	struct check_group *groups; // [count]
	int count;
	const int (*pairs)[2]; // [pair_count] of groups that are far apart
	int pair_count;
	const bool *at_rest; // [triangles.count] crosses something at rest, and is left out
	long budget;         // what the rest pose leaves of one clip's
	int turns;           // of loops that ask the stop
};

/* The joint that a triangle follows: that of two of its corners, or else the one of them nearest to
 * the root, and of the lowest index among equals. */
int check_triangle_joint(const struct check_asset *asset, const int corners[static 3]);

/* The groups at rest. Without pairs or budget they have no trees. Of type check_maker. */
const void *check_groups_make(const struct check_asset *asset, struct arena *arena);

/* Others, to be marked by themselves; what they are a copy of must outlive them. */
struct check_groups *check_groups_copy(const struct check_groups *groups, struct arena *arena);

/* Marks the triangles that cross others; positions are [vertex_count][3] and stay borrowed, marks
 * are [triangles.count]. False where *budget is spent. */
bool check_groups_mark(
	struct check_groups *groups, const float *positions, long *budget, bool *marks);
