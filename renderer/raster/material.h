/* Materials of glTF under light, in the terms of shaders/include/material.glsl and shaded.glsl. */
#pragma once

#include "draw/material.h"
#include "raster/attributes.h"
#include "raster/scene.h"

struct raster_material_job {
	const struct raster_scene *scene; // borrowed
	const struct material *material;
	struct material_variant variant;
	float scale; // by which poses scale the surface
	const struct shaded_look *look;
	const struct raster_texture *textures[TEXTURE_USE_COUNT]; // borrowed; of variant.maps
};

/* A texture that a material looks up. */
struct raster_map {
	const struct raster_texture *texture; // NULL = none
	int set;                              // of texture coordinates
	bool moved;                           // rows place it
	float rows[6];
};

/* The context of material_shade and material_mask. */
struct raster_material {
	const struct raster_scene *scene;
	unsigned flags;
	unsigned wants; // of enum raster_wants
	float numbers[MATERIAL_VECTORS][4];
	struct raster_map maps[TEXTURE_USE_COUNT];
	float toon[TOON_VECTORS][4]; // of MToon
	float light_equal[3]; // of MToon: that comes from all around, the same from all sides
	/* Without a texture of its roughness: light filtered for it, and the row of the table of
	 * reflection. */
	bool one_roughness;
	float light[SCENE_LIGHT_TEXELS][4];
	float reflection[TABLES_REFLECTION_SIZE][4];
};

void raster_material_begin(struct raster_material *material, const struct raster_material_job *job);

/* Surfaces under light, tone-mapped, premultiplied by alpha; context is a struct raster_material.
 */
raster_shade material_shade, material_shade_avx2, material_shade_avx512;
/* The texels of an outline's width, at places of each set of coordinates, which are overwritten. */
void toon_look_widths_up(const struct raster_material *material,
	struct raster_places sets[static TEXCOORD_SETS], float (*out)[4]);

/* The same of MToon. */
raster_shade toon_shade, toon_shade_avx2, toon_shade_avx512;
/* Alpha below what the material cuts off is a hole. */
raster_mask material_mask, material_mask_avx2, material_mask_avx512;
raster_mask toon_mask, toon_mask_avx2, toon_mask_avx512;
