/* A motion on its way into a file: its frames, and the forms that they are baked into. Each form is
 * one file here and one row of the table in portable.c. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "export/export.h"
#include "interface/vertices.h"
#include "model/material.h"
#include "pose/run.h"
#include "skin/method.h"
#include "skinned/prepare.h"

struct renderer;

struct portable {
	struct renderer *renderer;
	const struct portable_job *job;
	struct arena *arena; // until the file is there
	size_t count;        // frames
	float *times;        // [count] seconds
	double rate;         // frames a second
	struct arena *notes; // of the run
	struct pose_run run;
	struct skin_memory memory; // of the frames before
	struct baked_facts *facts;
	struct skinning_report *report; // of the last frame; its times and vertices are of all
	double mark;                    // the clock of the step before
	float reach;                    // rig_reach() of the rig, before morphing
};

/* Appends the file. */
typedef bool portable_make(struct portable *portable, struct buffer *out, struct error *err);
portable_make portable_vertex_texture, portable_joint_texture, portable_morph, portable_joints;

/* Makes frame i ready for skinning; to be called for all of them in their order. Fails like
 * prepare(). */
bool portable_prepare(struct portable *portable, size_t i, struct arena *arena,
	struct prepared *out, struct error *err);

/* Refuses skinning that a form of matrices does not show: with ERROR_INVALID_VALUE at the form. */
bool portable_check_linear(const struct portable *portable, struct error *err);

/* Refuses a frame whose vertices, skinned by whoever shows it, leave float32: with
 * ERROR_INVALID_VALUE. Skins it only where its matrices leave that open. */
bool portable_check_frame(
	const struct portable *portable, const struct prepared *prepared, struct error *err);

/* Refuses more bytes than the job allows: with ERROR_TOO_LARGE where it says how long it is. */
bool portable_check_bytes(const struct portable *portable, double bytes, struct error *err);

/* The first frame's mesh, or with rigging the mesh before skinning. */
struct export_job portable_export_job(const struct portable *portable, const struct rig *rig);

/* export_glb() of a file that grows with the frames: too large is said where the job says how long
 * it is. */
bool portable_export(const struct portable *portable, const struct export_job *export,
	struct buffer *out, struct error *err);

struct portable_mesh {
	struct prepared first; // the first frame
	const struct rig *rig; // first.rig
	const bool *mirrored;  // [rig->primitive_count] in the first frame
	float *positions;      // [count][vertex_count][3]; owned with normals
	float *normals;        // likewise, unit, outwards
};

/* Skins all frames, and notes the box around them. more_bytes: what the file has for the frames
 * besides, at least, which counts before any work. ERROR_INVALID_VALUE for a rig without vertices.
 * On failure there is nothing to finish. */
bool portable_mesh_make(struct portable *portable, double more_bytes, struct portable_mesh *mesh,
	struct error *err);
void portable_mesh_finish(struct portable_mesh *mesh);

/* Chooses a texture's size: the least of 2048 (what WebGL2 promises), 4096, 8192 and 16384 texels
 * that holds all frames of so many items both ways. Fails with ERROR_TOO_LARGE. */
bool portable_lay_out(struct portable *portable, struct baked_texture *texture, struct error *err);

/* The first texel of an item of a frame. */
size_t portable_texel(const struct portable *portable, const struct baked_texture *texture,
	size_t item, size_t frame);

/* Zeroed memory for a texture; free() it. NULL with ERROR_TOO_LARGE. */
void *portable_texels(const struct baked_texture *texture, size_t texel_bytes, struct error *err);

/* Appends a tar of mesh.glb as the export has it, the facts' textures with their texels, each
 * texel_bytes, and bake.json. */
struct portable_texels {
	const void *texels;
	size_t texel_bytes;
};

bool portable_write_tar(struct portable *portable, const struct export_job *mesh,
	const struct portable_texels texels[static BAKED_TEXTURES_MAX], struct buffer *out,
	struct error *err);

/* Appends an image of only pixels as PNG, for exporters. */
bool mesh_encode_image(const struct image *image, struct buffer *png, struct error *err);
