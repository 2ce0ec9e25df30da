/* A rig's mesh at one moment -> the bytes of a GLB. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "model/rig.h"

/* All arrays are borrowed and cover the whole rig. */
struct export_job {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] in the world
	const float *normals;   // [vertex_count][3] unit, outwards; NULL = none
	const float *tangents;  // [vertex_count][4] unit; NULL = none; come with normals
	const bool *mirrored;   // [primitive_count] whether its pose turned it inside out
	const char *generator;  // "posed 0.1.0"
	size_t most_bytes;      // that the file may have
	/* Appends an image as PNG; for those of which only the pixels are kept. */
	bool (*encode)(const struct image *image, struct buffer *png, struct error *err);
};

/* Appends a GLB with the triangles, lines and points of the rig where the job says, their texture
 * coordinates, colours, materials and textures.
 *
 * The vertices are the rig's in their order: read back node by node, primitive by primitive. There
 * is one node, at the origin, for each of the rig's that holds a mesh, with its name. Materials
 * keep their indices. The triangles of mirrored primitives are turned round, so that their front
 * stays the front. A primitive without vertices is left out: glTF has no empty accessors.
 *
 * Fails with ERROR_BROKEN_ASSET (a vertex left float32), ERROR_TOO_LARGE, or as encode does, and
 * then out is as it was. Any thread. */
bool export_glb(const struct export_job *job, struct buffer *out, struct error *err);
