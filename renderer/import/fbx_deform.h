/* The deformers of a mesh of an FBX file: the clusters of its skin, and its blend shapes. */
#pragma once

#include "import/fbx_geometry.h"
#include "import/fbx_nodes.h"
#include "model/weights.h"

/* A cluster: the points that a node moves. */
struct fbx_cluster {
	int node;        // position among the nodes
	double bind[12]; // from the mesh's node to the bone's when they were bound
	size_t count;
	const int64_t *points; // [count]
	const double *weights; // [count]
};

enum fbx_skinning { FBX_SKINNING_LINEAR, FBX_SKINNING_DUAL_QUATERNION, FBX_SKINNING_BLEND };

struct fbx_skin {
	int cluster_count; // 0 = no skin
	const struct fbx_cluster *clusters;
	enum fbx_skinning skinning;
	int more; // skins of the mesh besides this one
	/* Of FBX_SKINNING_BLEND: the share of dual quaternions by point; NULL = 0. */
	const double *blend;
	size_t blend_count;
};

/* One target of a channel: displacements of some points. */
struct fbx_shape {
	double full_weight; // in per cent; the channel's value at which it has all its effect
	size_t count;
	const int64_t *points; // [count]
	const double *offsets; // [count][3]
	const double *normals; // [count][3] displacements of normals; NULL = none
};

/* Shapes that one number drives, by their full weights: those between stand in for the last. */
struct fbx_channel {
	int object;           // position among the objects: the channel, or the mesh itself
	const char *property; // of it that drives the channel, in per cent
	double rest_percent;
	int shape_count;
	const struct fbx_shape *shapes; // full weights ascend
};

struct fbx_blend {
	int channel_count, shape_count; // of all channels
	const struct fbx_channel *channels;
};

/* The first skin of a geometry, with the nodes that there are. worlds are those of all nodes at
 * rest, in the file's units. Fail with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
bool fbx_skin_read(struct fbx_skin *out, struct fbx_tree *tree, const struct fbx_objects *objects,
	const struct fbx_nodes *nodes, const struct fbx_geometry *geometry, int mesh_node,
	const double (*worlds)[12], struct error *err);
bool fbx_blend_read(struct fbx_blend *out, struct fbx_tree *tree, const struct fbx_objects *objects,
	const struct fbx_geometry *geometry, struct error *err);

/* The weights of a channel's shapes at a value of it; [shape_count]. */
void fbx_channel_weights(const struct fbx_channel *channel, double percent, double *weights);
