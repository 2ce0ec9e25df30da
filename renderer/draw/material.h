/* The parts of a material that a picture shows, in the terms of shaders/include/material.glsl. */
#pragma once

#include "draw/job.h"

/* The material that a primitive is drawn with. */
const struct material *drawn_material(const struct rig *rig, const struct primitive *primitive);

/* True when a surface is drawn over what lies behind it. */
bool material_is_blended(const struct material *material);

/* True when a surface shows a copy of what lies behind it: of such a one that is not blended
 * nothing else is seen. */
bool material_transmits(const struct material *material);

/* True when a primitive that is not unlit does, or any of the rig. */
bool primitive_transmits(const struct rig *rig, const struct primitive *primitive);
bool rig_transmits(const struct rig *rig);

/* The pass that draws a primitive, in pictures of materials under light. */
enum draw_pass primitive_pass(const struct rig *rig, const struct primitive *primitive);

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
 * where the vertices have tangents, SHADED_UNLIT where no light falls on them, SHADED_OUTLINE of an
 * outline. */
struct material_variant material_variant_of(const struct rig *rig, const struct material *material,
	const struct shaded_look *look, unsigned flags);

bool material_variant_equals(const struct material_variant *a, const struct material_variant *b);

#define MATERIAL_VECTORS 10

/* The order of what one can see through: what has less is drawn first; of one order the farthest.
 */
int material_draw_order(const struct material *material);

/* True when a primitive has an outline in pictures of materials. */
bool primitive_has_outline(const struct primitive *primitive, const struct material *material);

/* The place of a texture among the units and transforms of a variant's program. */
static inline int material_map_slot(const struct material_variant *variant, int use) {
	return __builtin_popcount(variant->maps & ((1U << use) - 1));
}

/* The transform of a texture, with MToon's animation at the look's time unless a mask makes that
 * different from place to place: rows as of texture_slot_rows(). */
void material_map_rows(const struct material *material, enum texture_use use,
	const struct shaded_look *look, float rows[static 6]);

#define TOON_VECTORS 7

/* What MToon has besides these, in the order of shaders/include/toon.glsl. */
void material_toon_numbers(const struct material *material, const struct shaded_look *look,
	float out[static TOON_VECTORS][4]);

/* What an outline's width on the screen is multiplied by, beside w in clip space. */
float outline_scale(const float view_projection[static 16]);

/* A material's numbers in the order of shaders/include/material.glsl, where the pose scales the
 * surface by this. */
void material_numbers(
	const struct material *material, float scale, float out[static MATERIAL_VECTORS][4]);
