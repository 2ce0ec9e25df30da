/* The making of a rig from an FBX file: the state that its steps share. */
#pragma once

#include "import/fbx_animation.h"
#include "import/fbx_deform.h"
#include "import/import_files.h"
#include "import/scene_build.h"

/* A mesh at a node, for the clips of its morph weights. */
struct fbx_mesh {
	int node, index; // its position among all meshes
	struct fbx_geometry geometry;
	struct fbx_skin skin;
	struct fbx_blend blend;
};

struct fbx_import {
	struct rig *rig;                  // for its warnings, until it is filled
	const struct import_files *files; // that came with it; NULL = none
	struct fbx_tree tree;
	struct fbx_objects objects;
	struct fbx_nodes nodes;
	struct fbx_animation animation;
	/* By node: the joint that has its translation and rotation, the one that has its scale as
	 * well, which its meshes and the bones of skins are, and whether the two differ. */
	int *frames, *joints;
	double (*rest_scales)[3]; // by node: its scale and all that it inherits by its type
	int root;                 // the joint that mirrors all; -1 = none
	double (*world)[12];      // by node, at rest, in metres; not mirrored yet
	int mesh_count;
	struct fbx_mesh *meshes;
	int piece_room;       // for the scene's meshes
	int *material_of;     // by object: position among the scene's materials; -1 = none
	int64_t samples_left; // evaluations of curves
	double diagonal;      // of all points at rest, or of the nodes; metres, > 0
	struct scene scene;
};

/* The steps, in their order. Meshes fail with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
void fbx_make_joints(struct fbx_import *import);
void fbx_make_materials(struct fbx_import *import);
bool fbx_make_meshes(struct fbx_import *import, struct error *err);
void fbx_make_clips(struct fbx_import *import);

/* A node's transform below the frame of what it hangs on, in metres, at a time (bindings NULL = at
 * rest); its scale is what it and those that it inherits from make of its meshes. */
void fbx_joint_at(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double time_s, struct fbx_transform *out);

/* A skin by points. */
struct fbx_bound_points {
	size_t slot_count;
	struct palette_slot *slots;
	size_t *first; // [points + 1]
	struct influence *influences;
};

/* In the arena; a point without a cluster goes with the mesh's own node, as if that was one. Fails
 * with ERROR_TOO_LARGE. */
bool fbx_bind_points(const struct fbx_import *import, const struct fbx_mesh *mesh,
	struct fbx_bound_points *out, struct error *err);
