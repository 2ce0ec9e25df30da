/* Skinning on the GPU: compute dispatches, step after step. For the thread whose context is
 * current. */
#pragma once

#include <epoxy/gl.h>

#include "draw/skin_steps.h"
#include "gl/gpu_rig.h"

struct gpu_skin;

/* The state that all methods share. NULL with ERROR_INTERNAL, or ERROR_NO_RENDERER where the driver
 * offers too little. */
struct gpu_skin *gpu_skin_create(struct error *err);
void gpu_skin_destroy(struct gpu_skin *skin); // takes NULL

/* Writes gpu->skinned from gpu->vertices. False with ERROR_INTERNAL. */
bool gpu_skin_run(struct gpu_skin *skin, const struct gpu_skin_job *job, struct error *err);

/* Reads the streams of gpu->skinned back: count floats from the start-th on. */
bool gpu_skin_read(
	const struct gpu_rig *gpu, size_t start, size_t count, float *out, struct error *err);

/* The same of what the last run left in the scratch. */
bool gpu_skin_read_scratch(
	const struct gpu_skin *skin, size_t start, size_t count, float *out, struct error *err);
