/* The rigging of a mesh in a glTF document: influences, skins and nodes. */
#pragma once

#include "export/export.h"
#include "export/glb.h"

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
	int *meshes, *skins; // [joint_count] of the rig's nodes; -1 = none; owned
	int *skin_of_slot;   // [slot_count] the skin whose first slot it is; -1 = none; owned
	float *keys;         // of the animation; owned
};

/* Adds the numbers where the job has rigging. Fails with ERROR_TOO_LARGE. */
bool rigging_open(
	struct rigging *rigging, const struct export_job *job, struct glb *glb, struct error *err);
void rigging_finish(struct rigging *rigging);

/* Writes the attributes of a primitive that is skinned, or of any where there are no joints. */
void rigging_write_influences(const struct rigging *rigging, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json);

/* Hangs the last mesh on the node of a primitive in it, with its skin. */
void rigging_set_mesh(struct rigging *rigging, const struct primitive *primitive, struct glb *glb);

/* Adds the nodes and the clip, or the slots as nodes of a skin; behind all meshes. Fails with
 * ERROR_TOO_LARGE. Does nothing without rigging. */
bool rigging_add_nodes(struct rigging *rigging, struct glb *glb, struct error *err);

/* Zero is none. */
struct morphs {
	const struct export_job *job;
	int positions, normals; // views of the frames
	float *weights;         // of the animation's keys; owned
};

/* Adds the numbers. Fails with ERROR_TOO_LARGE. */
bool morphs_open(
	struct morphs *morphs, const struct export_job *job, struct glb *glb, struct error *err);
void morphs_finish(struct morphs *morphs);

/* Writes the member "targets" of a primitive that has some. */
void morphs_write(struct morphs *morphs, const struct primitive *primitive, struct glb *glb,
	struct json_writer *json);

/* Adds the animation that goes through the frames: for all nodes that are there, each with its
 * mesh. Does nothing without frames. */
void morphs_add_animation(const struct morphs *morphs, struct glb *glb);
