/* Morph targets of a document's meshes: the rig's own where it is exported with its joints, or one
 * for each frame beyond the first. */
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

/* Writes the member "targets" of a primitive that has some. */
void morphs_write(struct morphs *morphs, const struct primitive *primitive, struct glb *glb,
	struct json_writer *json);

/* Adds the animation that goes through the frames: for all nodes that are there, each with its
 * mesh. Does nothing without frames. */
void morphs_add_animation(const struct morphs *morphs, struct glb *glb);
