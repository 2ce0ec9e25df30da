/* Responses made of vertices: the pool that makes them, and meshes as GLB. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"

#define MESH_TYPE "model/gltf-binary"

/* The pool that skins in all these ways, [count]: a render thread as soon as one wants the GPU. */
enum executor skinning_executor(const struct request_context *context,
	const struct skinning_settings *settings, size_t count);

/* Makes the response the GLB of a job, whose generator and most_bytes are filled in here, with its
 * headers. Fails like renderer_mesh_glb. */
bool glb_respond(struct request_context *context, struct mesh_job *job, struct error *err);
