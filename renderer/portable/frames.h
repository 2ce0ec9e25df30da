/* The frames of a motion, skinned. */
#pragma once

#include "portable/portable.h"

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
