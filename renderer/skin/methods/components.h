/* A rig cut into rigid components, one to a joint: each face goes to the joint that its corners'
 * weights favour, and has vertices of its own there. METHODS A3. */
#pragma once

#include "base/arena.h"
#include "base/stop.h"
#include "model/skin_data.h"
#include "skin/bones.h"
#include "skin/methods/pieces.h"

/* An edge of the surface that two components share. */
struct cut_edge {
	int primitive;     // of the face on the side of `above`
	uint32_t from, to; // vertices of the rig, in the direction of that face
	int above, below;  // slots of the rig; above is the joint nearer to the root, if one is
	bool related;      // above really is above below
};

struct components {
	const struct rig *rig;
	struct arena *arena;    // of all that is here
	struct bone *bones;     // [rig->slot_count]
	uint16_t *face_slots;   // of every face, relative to its primitive's; faces in index order
	struct piece *pieces;   // [rig->primitive_count], in the order of the rig's primitives
	struct cut_edge *edges; // [edge_count], by vertices
	int edge_count;
};

/* Cuts a rig. Vertices that no face has stay with the joint of their greatest weight. All but the
 * rig is in the arena. False with what the stop says. */
bool components_cut(const struct rig *rig, struct arena *arena, const struct stop *stop,
	struct components *out, struct error *err);

/* Data that has no more than a rig; NULL where that is NULL or memory is out. */
struct skin_data *components_data(struct rig *take_rig, struct error *err);

/* Corners of a face. */
int components_corners(const struct primitive *primitive);

/* Fills edges from the faces' slots. */
void components_find_edges(struct components *components);
