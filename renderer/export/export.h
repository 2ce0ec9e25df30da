/* A rig's mesh at one moment -> the bytes of a GLB. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "model/rig.h"

/* A mesh that moves from shape to shape. */
struct export_frames {
	const char *name;       // of the animation
	size_t count;           // at least 1; the first is what the job has
	const float *times;     // [count] seconds, ascending from 0
	const float *positions; // [count][vertex_count][3] what each adds to the first
	const float *normals;   // likewise; they come with the job's normals
};

/* A mesh that follows matrices; the job's vertices are those before skinning. */
struct export_rigging {
	/* [slot_count] rows that the slots have: no joints, and one skin whose joints are the rig's
	 * slots; or NULL: the rig's joints, and vertices have its morph targets. */
	const double (*matrices)[12];
	const struct clip *clips; // [clip_count] the animations of joints
	int clip_count;
};

/* All arrays are borrowed and cover the whole rig. */
struct export_job {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] in the world
	const float *normals;   // [vertex_count][3] unit, outwards; NULL = none
	const float *tangents;  // [vertex_count][4] unit; NULL = none; come with normals
	const bool *mirrored;   // [primitive_count] whether its pose turned it inside out
	const char *generator;  // "posed 0.1.0"
	size_t max_bytes;       // that the file may have
	bool numbered;          // each vertex has its number, as the attribute _VERTEX
	const struct export_frames *frames;   // NULL = it has one shape
	const struct export_rigging *rigging; // NULL = it stands where it is
	/* Appends an image as PNG; for those of which only the pixels are kept. */
	bool (*encode)(const struct image *image, struct buffer *png, struct error *err);
};

/* True when the GLB has tangents for a primitive: where the rig's file has them, and not for
 * points, which have no tangent space, says the specification. */
bool export_has_tangents(const struct export_job *job, const struct primitive *primitive);

/* Appends a GLB with the triangles, lines and points of the rig where the job says, their texture
 * coordinates, colours, materials and textures.
 *
 * The vertices are the rig's in their order: read back node by node, primitive by primitive. There
 * is one node, at the origin, for each of the rig's that holds a mesh, with its name. Materials
 * keep their indices. The triangles of mirrored primitives are turned round, so that their front
 * stays the front. A primitive without vertices is left out: glTF has no empty accessors.
 *
 * Frames beyond the first are morph targets, and the animation goes linearly from each to the next.
 * With rigging the influences are JOINTS_n and WEIGHTS_n. Without matrices all of the rig's joints
 * are there as the first nodes, with their meshes and a skin for each of the file's; where glTF
 * asks for it there are nodes beside: a mesh of another skin at the same joint, a joint that is in
 * one skin twice, and one root where a skin's joints have several. Else influences count the rig's
 * slots.
 *
 * Fails with ERROR_BROKEN_ASSET (a vertex left float32), ERROR_TOO_LARGE, or as encode does, and
 * then out is as it was. Any thread. */
bool export_glb(const struct export_job *job, struct buffer *out, struct error *err);
