/* Skinned vertices out: as numbers, packed, and as files that need no posed. */
#pragma once

#include "base/baked.h"
#include "base/buffer.h"
#include "export/packer.h"
#include "interface/poses.h"
#include "interface/report.h"
#include "skin/method.h"

/* The box around the rig's vertices over the whole of a clip (its position in rig->clips), skinned
 * with the default method; min > max where there are none. Takes as long as some hundred poses the
 * first time. False when it was stopped. */
bool renderer_clip_bounds(struct renderer *renderer, const struct rig *rig, int clip,
	const struct stop *stop, struct bounds *out, struct error *err);

/* Vertices that a rig has when it is skinned so: its own, but with methods that cut it into parts,
 * which is done here the first time. Fails with what is wrong with the settings, and from the
 * stop. */
bool renderer_vertex_count(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *settings, const struct stop *stop, int *out,
	struct error *err);

/* Bytes of one frame of so many vertices: for each set bit of attributes all vertices' numbers. */
size_t renderer_vertices_bytes(int vertex_count, unsigned attributes);

struct vertices_job {
	struct posed_subject subject;
	const double *placement; // [12] rows of a map for the skinned vertices; NULL = the identity
	const enum attribute_bits *order; // [count] the attributes as asked, each at most once
	size_t count;
	int vertices; // that out has room for: what renderer_vertex_count() says; 0 = the rig's own
	struct skin_memory *memory; // of the frames before in the same answer; NULL = this is alone
};

/* Skins one frame and writes, for each attribute in the order asked, all vertices' float32:
 * position x3, normal x3, tangent x4.
 *
 * out   renderer_vertices_bytes() bytes of renderer_vertex_count() vertices, caller's
 * Fails like renderer_pose, with ERROR_UNKNOWN_METHOD, ERROR_MISSING_DATA (tangents of a rig that
 * has none), ERROR_NO_RENDERER (device gpu without a context), ERROR_CONTEXT_LOST, ERROR_TOO_LARGE
 * or ERROR_OVERLOADED (no room on the GPU) and ERROR_INVALID_VALUE (the pose takes a vertex beyond
 * float32). */
bool renderer_vertices(struct renderer *renderer, const struct vertices_job *job, float *out,
	struct skinning_report *report, struct error *err);

/* A packer for the frames of a rig that is skinned so, of *vertices each. NULL like
 * renderer_vertex_count, and with ERROR_TOO_LARGE. */
struct packer *renderer_packer(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *skinning, const struct packing_settings *packing,
	const struct stop *stop, int *vertices, struct error *err);

struct mesh_job {
	struct posed_subject subject;
	unsigned attributes;   // ATTRIBUTE_ bits besides the position; tangents bring normals along
	const char *generator; // for the file to name: "posed 0.1.0"
	size_t max_bytes;      // that the file may have
};

/* Skins one frame and appends it as a GLB that needs no other file: the vertices of
 * renderer_vertices in their order, with indices, texture coordinates, colours, materials and
 * textures (export/export.h says how). Primitives that the pose mirrors get their triangles turned
 * round and their normals outwards. Fails like renderer_vertices, with ERROR_BROKEN_ASSET where a
 * vertex left float32, and with ERROR_TOO_LARGE. */
bool renderer_mesh_glb(struct renderer *renderer, const struct mesh_job *job, struct buffer *glb,
	struct skinning_report *report, struct error *err);

struct rig_file_job {
	const struct rig *rig;
	const char *generator; // for the file to name: "posed 0.1.0"
	size_t max_bytes;      // that the file may have
};

/* Appends a rig with all of its clips as a GLB that needs no other file: joints, meshes before
 * skinning, morph targets, skins, materials and textures (export/export.h says how); not lights,
 * cameras and what makes an avatar. Fails with ERROR_TOO_LARGE, and with ERROR_INVALID_VALUE where
 * a number exceeds float32. Any thread. */
bool renderer_rig_glb(const struct rig_file_job *job, struct buffer *glb, struct error *err);

struct bake_export_job {
	struct posed_subject subject; // clock_s is ignored: the pose runs from its own moment
	struct baked_settings baked;
	size_t max_frames;
	const char *generator; // for the files to name: "posed 0.1.0"
	const char *rig_name;  // for motion files to name one another: "fox"
	size_t max_bytes;      // that the answer may have, and each set of numbers on the way
	/* Appends the description of textures, for the tar that they are in. */
	void (*describe)(const struct baked_facts *facts, struct buffer *out);
};

/* "model/gltf-binary" or "application/x-tar", or of motion what its format has. */
const char *renderer_bake_export_type(enum baked_form form);

/* Looks at a pose while it runs by the clock, strictly forward and in one run, and appends it as a
 * file that needs no posed: frames are evenly apart, at least as many a second as asked, the first
 * at 0 and the last at the end.
 *
 * facts  what it came to; strings are the job's and the rig's, slots are not told
 * report its method is NULL where nothing was skinned: of motion
 * Fails like renderer_vertices and renderer_bake_clip, with ERROR_INVALID_VALUE at the form where
 * that can only show "lbs" and another method is asked for, and with ERROR_TOO_LARGE. */
bool renderer_bake_export(struct renderer *renderer, const struct bake_export_job *job,
	struct buffer *out, struct baked_facts *facts, struct skinning_report *report,
	struct error *err);
