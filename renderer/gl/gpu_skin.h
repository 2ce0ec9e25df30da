/* Skinning on the GPU: one compute dispatch per primitive. For the thread whose context is
 * current. */
#pragma once

#include <epoxy/gl.h>

#include "gl/gpu_rig.h"

struct gpu_skin;

/* The state that all methods share. NULL with ERROR_INTERNAL. */
struct gpu_skin *gpu_skin_create(struct error *err);
void gpu_skin_destroy(struct gpu_skin *skin); // takes NULL

struct gpu_skin_job {
	const struct rig *rig;
	struct gpu_rig *gpu;
	const char *shader;   // the method's compute shader; compiled when first used
	const float *palette; // [rig->slot_count][entry_floats]
	int entry_floats;
	bool tangents; // only where the rig has them
};

/* Writes gpu->skinned from gpu->vertices. False with ERROR_INTERNAL. */
bool gpu_skin_run(struct gpu_skin *skin, const struct gpu_skin_job *job, struct error *err);

/* Reads the streams of gpu->skinned back: count floats from the start-th on. */
bool gpu_skin_read(
	const struct gpu_rig *gpu, size_t start, size_t count, float *out, struct error *err);
