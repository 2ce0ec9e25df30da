/* The models of an FBX file as a tree of nodes, and how their properties make transforms. */
#pragma once

#include "import/fbx_objects.h"

/* A transform as a rig's joints have it, in double: scale, then rotation, then translation. */
struct fbx_transform {
	double translation[3], rotation[4], scale[3];
};

/* The way a node takes the scale of those above it, by the numbers of InheritType. */
enum fbx_inherit {
	FBX_INHERIT_COMPONENTWISE, // RrSs: its own scale times theirs, without shear
	FBX_INHERIT_ALL,           // RSrs: as matrices multiply
	FBX_INHERIT_NOT_PARENT,    // Rrs: as the first, but without its parent's own
};

/* The animated properties of a node, and of what is evaluated for it. */
struct fbx_local {
	double translation[3];
	double rotation[4]; // of Lcl Rotation alone, as a unit quaternion
	double scaling[3];
};

struct fbx_node {
	const struct fbx_object *object;
	int parent; // position among the nodes, before this one; -1 = the scene
	enum fbx_inherit inherit;
	int scale_from;     // the node whose scale it takes over by that, and so on; -1 = of none
	int rotation_order; // of Lcl Rotation, for fbx_euler()
	struct fbx_local rest;
	double rest_euler[3];       // degrees
	double before[4], after[4]; // pre-rotation, and the inverse of the post-rotation
	double rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
	double geometry[12]; // of its meshes alone
};

struct fbx_nodes {
	int count;
	struct fbx_node *nodes; // parents before children, siblings in the order of the file
	int *of_object;         // by position of the object; -1 = no node
	int shared_count;       // models with several parents
	/* From the file's axes and unit to metres with y up: of nodes without a parent, and of
	 * lengths. mirror is 1 or -1 for each axis, and comes first. */
	double turn[4], mirror[3], unit;
};

/* Reads all models. Those in a circle, which hang on the scene nowhere, are left out. */
void fbx_nodes_read(struct fbx_nodes *out, const struct fbx_objects *objects, struct arena *arena);

/* Angles in degrees about three axes as a unit quaternion. order: 0 XYZ (x first), 1 XZY, 2 YZX,
 * 3 YXZ, 4 ZXY, 5 ZYX; others as 0. */
void fbx_euler(int order, const double degrees[static 3], double out[static 4]);

/* The angles that make a unit quaternion; where two axes fall together the last is 0. */
void fbx_euler_of(int order, const double q[static 4], double degrees[static 3]);

/* The transform of a node with these values of its animated properties: its pivots, offsets and
 * other rotations applied. In the file's units. */
void fbx_node_transform(
	const struct fbx_node *node, const struct fbx_local *local, struct fbx_transform *out);
