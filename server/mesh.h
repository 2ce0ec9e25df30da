/* Answers that are meshes as GLB. */
#pragma once

#include "call.h"
#include "renderer.h"

#define MESH_TYPE "model/gltf-binary"

/* Makes the answer the GLB of a job, whose generator and most_bytes are filled in here, with its
 * headers. Fails like renderer_mesh_glb. */
bool mesh_answer(struct call *call, struct mesh_job *job, struct error *err);
