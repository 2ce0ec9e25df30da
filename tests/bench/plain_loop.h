/* Linear blend skinning as one would write it first: what the kernels are measured against. */
#pragma once

#include "model/rig.h"

/* Skins the rig's one primitive of four influences. palette is [slot_count][PALETTE_MATRIX_FLOATS];
 * positions and normals are [vertex_count][3]; normals by the cofactor matrix, unit. */
void plain_loop(const struct rig *rig, const float *palette, float *positions, float *normals);
