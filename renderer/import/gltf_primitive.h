/* Filling one drawn primitive: the parts of gltf_build_primitives. */
#pragma once

#include "import/gltf_document.h"

/* One primitive of one node, with the place of its data in the rig laid out already. */
struct gltf_piece {
	const struct gltf_primitive *source;
	struct primitive *target; // in rig->primitives
	int skin;                 // whose slots it uses; -1 = one slot of its own
	char place[GLTF_PLACE_BYTES];
};

/* Corners that the source lists, as lists of triangles, lines or points. */
bool gltf_fill_indices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Positions, normals, tangents and texture coordinates; after the indices. */
bool gltf_fill_vertices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Morph targets. */
bool gltf_fill_targets(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Influences by the weight policy; sets influence_count and first_influence, and moves
 * rig->influence_count on. */
bool gltf_fill_influences(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);
