/* Skinning on the GPU: compute dispatches, step after step, and the layout of what they read. */
#pragma once

#include "draw/job.h"
#include "model/skin_data.h"

/* Vertices on the GPU are streams of floats: positions, normals and, where the rig has them,
 * tangents, each of all vertices, of one copy after the other. */

#define GPU_SKIN_CONSTANTS_BYTES 384

/* One dispatch over all vertices of the rig, or one for each primitive or batch. */
struct gpu_skin_step {
	const char *shader; // the compute shader; compiled when first used
	bool per_primitive; // with the primitive's influences and slots
	/* [batch_count] dispatches in the place of those for the primitives, each over its rows and
	 * with its matrices, from the palette's extra floats, at UNIFORM_MATRICES; 0 = none. */
	const struct skin_batch *batches;
	size_t batch_count;
	bool from_displaced; // reads displaced vertices, and not those before skinning
	bool to_displaced;   // writes displaced vertices, and not the skinned ones
	/* The contents of the shader's palette: the slots' entries of all copies,
	 * then the extra floats of all. NULL = nothing. */
	const float *palette;
	int entry_floats;                            // per slot
	size_t extra_floats;                         // of one copy, a multiple of 4
	const struct skin_data *data, *normals_data; // NULL = none
	float parameters[8];                         // the method's options
	// Declarations of what is the same for all vertices and worth a program of its own.
	char constants[GPU_SKIN_CONSTANTS_BYTES];
	int pass; // how often the same shader went before, in a row
};

/* The uniforms of a step that are the same in all its dispatches, by their names in GLSL. */
struct gpu_skin_uniforms {
	uint32_t streams[2], sections[SKIN_SECTIONS_MAX], normals_sections[SKIN_SECTIONS_MAX];
	uint32_t pass, extra, copy[4];
};

struct gpu_skin_uniforms gpu_skin_uniforms(
	const struct rig *rig, int copies, bool tangents, const struct gpu_skin_step *step);

/* Floats of the slots' entries of one copy. */
size_t gpu_skin_entry_floats(const struct rig *rig, const struct gpu_skin_step *step);

struct gpu_skin_job {
	const struct rig *rig;
	struct drawn_rig *drawn;
	const struct gpu_skin_step *steps; // [step_count], in order
	size_t step_count;
	bool tangents;         // only where the rig has them
	size_t scratch_floats; // per vertex, which steps share
};

/* Floats of all streams of a rig's vertices: 6 a vertex, 10 with tangents. */
size_t gpu_rig_stream_floats(const struct rig *rig);

/* Words of a rig's influences as shaders read them, and the word at which the weights start. */
size_t gpu_rig_influence_words(const struct rig *rig);
size_t gpu_rig_weights_word(const struct rig *rig);
