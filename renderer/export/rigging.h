/* The rigging of a mesh in a glTF document: influences, skins and nodes. */
#pragma once

#include "export/export.h"
#include "export/glb.h"
#include "export/nodes.h"

/* Zero is none. */
struct rigging {
	const struct export_job *job;
	size_t sets; // of four influences, as many as any vertex has
	/* Set after set, [vertex_count][4]: JOINTS_n and WEIGHTS_n. Owned. */
	uint16_t *joints;
	float *weights;
	int joint_view, weight_view;
	float *bind; // [slot_count][16] columns; owned
	int bind_view;
	struct export_node *nodes; // [node_count] behind those of the rig's joints others; owned
	int node_count;
	int *skin_of_slot; // [slot_count] the skin whose first slot it is; -1 = none; owned
	int *last_skin;    // [joint_count] that the joint's node is in; -1 = none; owned
	int *roots;        // [joint_count] the root above each joint; owned
	bool wants_root;   // joints of a skin hang on several roots
	float **keys;      // [clip_count] of each animation, owned
};

/* Adds the numbers where the job has rigging. Fails with ERROR_TOO_LARGE. */
bool rigging_open(
	struct rigging *rigging, const struct export_job *job, struct glb *glb, struct error *err);
void rigging_finish(struct rigging *rigging);

/* Writes the attributes of a primitive that is skinned, or of any where there are no joints. */
void rigging_write_influences(const struct rigging *rigging, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json);

/* Hangs the last mesh on the node of a primitive in it, with its skin, or on one below that if it
 * has a mesh already.
 *
 * morphs  the mesh has morph targets */
void rigging_set_mesh(
	struct rigging *rigging, const struct primitive *primitive, bool morphs, struct glb *glb);

/* Adds the nodes and the clips, or the slots as nodes of a skin; behind all meshes. Fails with
 * ERROR_TOO_LARGE. Does nothing without rigging. */
bool rigging_add_nodes(struct rigging *rigging, struct glb *glb, struct error *err);
