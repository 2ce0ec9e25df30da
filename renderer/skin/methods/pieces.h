/* Rigs put together from pieces of another's vertices: same joints, other vertices. */
#pragma once

#include "model/rig.h"

/* A future primitive. Everything that a vertex has carries over from a vertex of the rig. */
struct piece {
	int primitive; // of the rig: whose material, joint and slots it has
	int vertex_count;
	const uint32_t *sources; // [vertex_count] vertices of the rig, of this primitive
	int influence_count;     // per vertex: 1, or a multiple of 4
	const uint16_t *slots;   // [vertex_count * influence_count], relative to the primitive's
	const float *weights;    // likewise; as struct rig wants influences
	int index_count;
	const uint32_t *indices; // [index_count] below vertex_count
	/* [vertex_count][3] in the place of the sources', and no morphs then; NULL = the sources'.
	 */
	const float *positions, *normals;
};

/* A rig of these pieces, in this order, as a variant of rig. One reference. NULL with
 * ERROR_TOO_LARGE. */
struct rig *pieces_join(
	const struct rig *rig, const struct piece *pieces, int piece_count, struct error *err);
