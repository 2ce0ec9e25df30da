/* The parts of a material that a picture shows, in the terms of shaders/include/material.glsl. */
#pragma once

#include "draw/job.h"

/* The material that a primitive is drawn with. */
const struct material *drawn_material(const struct rig *rig, const struct primitive *primitive);

/* True when light comes through a surface, so that it is drawn with what lies behind it. */
bool material_is_blended(const struct material *material);

/* True when a material has normals in textures, whose axes are the vertices' tangents where there
 * are any. */
bool material_takes_tangents(const struct material *material);

/* True when one can see through any primitive of the rig. */
bool rig_has_blended(const struct rig *rig);

/* True when normal maps of the rig's materials go by its tangents. */
bool rig_takes_tangents(const struct rig *rig);

/* The layers, textures and light of a material in a picture. Bits of maps, second and moved are
 * those of enum texture_use. */
struct material_variant {
	unsigned flags;  // SHADED_* of bindings.glsl
	unsigned maps;   // textures that are looked up
	unsigned second; // of these, by the second set of texture coordinates
	unsigned moved;  // of these, with texture coordinates that a transform places
};

/* flags are those that do not hang on the material: SHADED_ENCODED, SHADED_MANY, SHADED_TANGENTS
 * where the vertices have tangents, SHADED_UNLIT where no light falls on them. */
struct material_variant material_variant_of(const struct rig *rig, const struct material *material,
	const struct shaded_look *look, unsigned flags);

bool material_variant_equals(const struct material_variant *a, const struct material_variant *b);

#define MATERIAL_VECTORS 7

/* A material's numbers in the order of shaders/include/material.glsl. */
void material_numbers(const struct material *material, float out[static MATERIAL_VECTORS][4]);
