/* The morph targets of a mesh in a glTF document: the rig's own, or one for each frame. */
#pragma once

#include "export/export.h"
#include "export/glb.h"

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

/* Writes the member "targets" of a primitive, if its mesh has any.
 *
 * own  the rig's that the mesh has: all of its primitives get as many */
void morphs_write(const struct morphs *morphs, const struct primitive *primitive, int own,
	struct glb *glb, struct json_writer *json);

/* Adds the animation that goes through the frames: for all nodes that are there, each with its
 * mesh. Does nothing without frames. */
void morphs_add_animation(const struct morphs *morphs, struct glb *glb);
