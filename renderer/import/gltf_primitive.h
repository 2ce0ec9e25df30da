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

/* Joints and weights as the file lists them, set after set: [set_count][vertex_count][4]. */
struct gltf_raw_influences {
	uint32_t *joints;
	float *weights;
	size_t set_count, vertex_count;
	uint32_t slot_count; // of the skin
};

/* The place of a vertex's influence, of 4 * set_count. */
static inline size_t gltf_raw_influence(
	const struct gltf_raw_influences *raw, size_t vertex, size_t influence) {
	return (influence / 4 * raw->vertex_count + vertex) * 4 + influence % 4;
}

/* Corners that the source lists, as lists of triangles, lines or points. */
bool gltf_fill_indices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Positions, normals, tangents and texture coordinates; after the indices. */
bool gltf_fill_vertices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Morph targets. */
bool gltf_fill_targets(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Influences by the weight policy; sets influence_count and first_influence, and moves
 * rig->influence_count on. */
bool gltf_fill_influences(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);
