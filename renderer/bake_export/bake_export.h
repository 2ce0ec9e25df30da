/* An animation that is being baked into a file, and its frames. Each form is one file here and one
 * row of the table in bake_export.c. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "export/export.h"
#include "export/motion.h"
#include "interface/vertices.h"
#include "model/material.h"
#include "pose/run.h"
#include "skin/method.h"
#include "skinned/prepare.h"

struct renderer;

struct bake_export {
	struct renderer *renderer;
	const struct bake_export_job *job;
	struct arena *arena; // until the file is complete
	size_t count;        // frames
	float *times;        // [count] seconds
	double rate;         // frames a second
	struct arena *notes; // of the run
	struct pose_run run;
	struct skin_memory memory; // of the frames before
	struct baked_facts *facts;
	struct skinning_report *report; // of the last frame; its times and vertices are sums
	double mark;                    // the clock at the end of the last step
	float reach;                    // rig_reach() of the rig, before morphing
};

/* Appends the file. */
typedef bool bake_export_make(struct bake_export *bake, struct buffer *out, struct error *err);
bake_export_make bake_export_vertex_texture, bake_export_joint_texture, bake_export_morph,
	bake_export_joints, bake_export_playback;

/* Appends a file of motion alone. */
bool bake_export_motion(struct bake_export *bake, const struct motion_format *format,
	struct buffer *out, struct error *err);

/* Begins the run anew: frame 0 is the next. */
void bake_export_restart(struct bake_export *bake);

/* Prepares frame i for skinning; to be called for all frames in order. Fails like prepare(). */
bool bake_export_prepare(struct bake_export *bake, size_t i, struct arena *arena,
	struct prepared *out, struct error *err);

/* Refuses skinning that the matrices of a form cannot express: ERROR_INVALID_VALUE at the form. */
bool bake_export_check_linear(const struct bake_export *bake, struct error *err);

/* Refuses a frame whose vertices exceed float32 when the player skins them: ERROR_INVALID_VALUE.
 * Skins it only if its matrices do not already rule that out. */
bool bake_export_check_frame(
	const struct bake_export *bake, const struct prepared *prepared, struct error *err);

/* Refuses more bytes than the job allows: ERROR_TOO_LARGE at the members that set the duration. */
bool bake_export_check_bytes(const struct bake_export *bake, double bytes, struct error *err);

/* The mesh of the first frame, or before skinning if the file has joints. */
struct export_job bake_export_glb_job(const struct bake_export *bake, const struct rig *rig);

/* export_glb() of a file that grows with the frames: ERROR_TOO_LARGE is reported at the members
 * that set the duration. */
bool bake_export_glb(const struct bake_export *bake, const struct export_job *export,
	struct buffer *out, struct error *err);

struct baked_mesh {
	struct prepared first; // the first frame
	const struct rig *rig; // first.rig
	const bool *mirrored;  // [rig->primitive_count] in the first frame
	float *positions;      // [count][vertex_count][3]; owned with normals
	float *normals;        // likewise, unit, outwards
};

/* Skins all frames, and records their bounds. more_bytes: a lower limit of the file's other bytes,
 * checked before any work. ERROR_INVALID_VALUE for a rig without vertices. On failure there is
 * nothing to finish. */
bool baked_mesh_make(
	struct bake_export *bake, double more_bytes, struct baked_mesh *mesh, struct error *err);
void baked_mesh_finish(struct baked_mesh *mesh);

/* Chooses a texture's size: the smallest of 2048 (guaranteed by WebGL2), 4096, 8192 and 16384
 * texels a side that holds all frames of so many items. Fails with ERROR_TOO_LARGE. */
bool bake_export_lay_out(
	struct bake_export *bake, struct baked_texture *texture, struct error *err);

/* The first texel of an item of a frame. */
size_t bake_export_texel(const struct bake_export *bake, const struct baked_texture *texture,
	size_t item, size_t frame);

/* Zeroed memory for a texture; free() it. NULL with ERROR_TOO_LARGE. */
void *bake_export_texels(
	const struct baked_texture *texture, size_t texel_bytes, struct error *err);

/* Appends a tar of the exported mesh.glb, the textures of `facts` with their texels of texel_bytes
 * each, and bake.json. */
struct bake_export_texels {
	const void *texels;
	size_t texel_bytes;
};

bool bake_export_write_tar(struct bake_export *bake, const struct export_job *mesh,
	const struct bake_export_texels texels[static BAKED_TEXTURES_MAX], struct buffer *out,
	struct error *err);

struct tar_file;

/* Appends to a tar: bake.json of the facts, and mesh.glb. */
bool bake_export_put_description(
	struct bake_export *bake, struct tar_file *tar, struct buffer *out, struct error *err);
bool bake_export_put_mesh(
	struct tar_file *tar, const struct export_job *mesh, struct buffer *out, struct error *err);

/* Encodes an image that has only pixels as PNG, for exporters. */
bool mesh_encode_image(const struct image *image, struct buffer *png, struct error *err);
