/* Skinning on the GPU: compute dispatches, step after step. For the thread whose context is
 * current. */
#pragma once

#include <epoxy/gl.h>

#include "gl/gpu_rig.h"
#include "model/skin_data.h"

struct gpu_skin;

/* The state that all methods share. NULL with ERROR_INTERNAL, or ERROR_NO_RENDERER where the driver
 * offers too little. */
struct gpu_skin *gpu_skin_create(struct error *err);
void gpu_skin_destroy(struct gpu_skin *skin); // takes NULL

#define GPU_SKIN_CONSTANTS_BYTES 384

/* One dispatch over all vertices of the rig, or one for each primitive or batch. */
struct gpu_skin_step {
	const char *shader; // the compute shader; compiled when first used
	bool per_primitive; // with the primitive's influences and slots
	/* [batch_count] dispatches in the place of those for the primitives, each over its rows and
	 * with its matrices, from the palette's extra floats, at UNIFORM_MATRICES; 0 = none. */
	const struct skin_batch *batches;
	size_t batch_count;
	bool from_displaced; // reads rest vertices from gpu->displaced
	bool to_displaced;   // writes there, and not to gpu->skinned
	/* The contents of the shader's palette: the slots' entries of all copies (see gpu_rig.h),
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
	GLuint streams[2], sections[SKIN_SECTIONS_MAX], normals_sections[SKIN_SECTIONS_MAX];
	GLuint pass, extra, copy[4];
};

struct gpu_skin_uniforms gpu_skin_uniforms(
	const struct rig *rig, int copies, bool tangents, const struct gpu_skin_step *step);

struct gpu_skin_job {
	const struct rig *rig;
	struct gpu_rig *gpu;
	const struct gpu_skin_step *steps; // [step_count], in order
	size_t step_count;
	bool tangents;         // only where the rig has them
	size_t scratch_floats; // per vertex, which steps share
};

/* Writes gpu->skinned from gpu->vertices. False with ERROR_INTERNAL. */
bool gpu_skin_run(struct gpu_skin *skin, const struct gpu_skin_job *job, struct error *err);

/* Reads the streams of gpu->skinned back: count floats from the start-th on. */
bool gpu_skin_read(
	const struct gpu_rig *gpu, size_t start, size_t count, float *out, struct error *err);

/* The same of what the last run left in the scratch. */
bool gpu_skin_read_scratch(
	const struct gpu_skin *skin, size_t start, size_t count, float *out, struct error *err);
