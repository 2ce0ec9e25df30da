/* A motion on its way into a file: its frames, and the forms that they are baked into. Each form is
 * one file, portable_NAME.c, and one row of the table in portable.c. */
#pragma once

#include "export/export.h"
#include "export/glb.h"
#include "renderer_internal.h"

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

/* Refuses more bytes than the job allows: with ERROR_TOO_LARGE where it says how long it is. */
bool portable_check_bytes(const struct portable *portable, double bytes, struct error *err);

/* --- Skinned frames --- */

struct portable_mesh {
	struct prepared first; // the first frame
	const struct rig *rig; // first.rig
	const bool *mirrored;  // [rig->primitive_count] in the first frame
	float *positions;      // [count][vertex_count][3]; owned with normals
	float *normals;        // likewise, unit, outwards
};

/* Skins all frames, and notes the box around them. On failure there is nothing to finish. */
bool portable_mesh_make(struct portable *portable, struct portable_mesh *mesh, struct error *err);
void portable_mesh_finish(struct portable_mesh *mesh);

/* --- Files --- */

/* The first frame's mesh, or with rigging the mesh before skinning. */
struct export_job portable_export_job(const struct portable *portable, const struct rig *rig);

/* Chooses a texture's size: the least of 2048 (what WebGL2 promises), 4096, 8192 and 16384 texels
 * that holds all frames of so many items both ways. Fails with ERROR_TOO_LARGE. */
bool portable_lay_out(struct portable *portable, struct baked_texture *texture, struct error *err);

/* Where an item of a frame begins, in texels. */
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
