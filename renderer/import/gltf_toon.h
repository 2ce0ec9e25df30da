/* MToon, the toon shading of avatars: VRMC_materials_mtoon of VRM 1.0 beyond what the tables of
 * materials say, and the materials of VRM 0.x, which stand in the root's extension VRM.
 * Source: github.com/vrm-c/vrm-specification, VRMC_materials_mtoon-1.0 and the folder 0.0. */
#pragma once

#include "import/gltf_document.h"

/* Takes the members of VRMC_materials_mtoon that are no factors and no textures, and brings factors
 * into their ranges, with warnings. False where a member has another type. */
bool gltf_toon_read(struct rig *rig, const struct gltf_item *toon, struct material *material,
	struct error *err);

/* Overwrites a material with what the file's VRM 0.x extension says of it, if there is one, the
 * file is no VRM 1.0, and its shader is another than glTF's. What cannot be read leaves the
 * material as it is, with a warning. True where it was overwritten: all textures lie by the first
 * coordinates then. */
bool gltf_toon_read_0x(struct gltf *gltf, int index, struct material *material);
