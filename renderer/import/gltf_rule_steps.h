/* The steps that look for rules that a document breaks, once it has been read without an error.
 * None takes longer than the document and its data are long. */
#pragma once

#include "import/gltf_document.h"

/* JSON against glTF's schemas. */
void gltf_check_schema(struct gltf *gltf);

/* Nodes, scenes and skins against one another. */
void gltf_check_tree(struct gltf *gltf);

/* The uses of accessors; bits of enum gltf_accessor_use. */
enum gltf_accessor_use {
	GLTF_USE_NORMALS = 1,
	GLTF_USE_TANGENTS = 2,
	GLTF_USE_COLORS = 4,
	GLTF_USE_TIMES = 8,
	GLTF_USE_ROTATIONS = 16,       // keys
	GLTF_USE_CUBIC_ROTATIONS = 32, // keys between tangents
	GLTF_USE_BINDS = 64,
};

/* Meshes, skins and animations against their accessors, and these against their views. Fills
 * uses[accessor_count]. */
void gltf_check_links(struct gltf *gltf, unsigned char *uses);

/* The numbers that accessors hold. */
void gltf_check_data(struct gltf *gltf, const unsigned char *uses);
