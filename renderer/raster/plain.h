/* Surfaces in their base colours under a key light and a sky, in the terms of
 * shaders/include/surface.glsl. */
#pragma once

#include "raster/material.h"

/* The part of the mesh's colours that multiplies the base colour. */
enum plain_colors {
	PLAIN_COLORS,
	PLAIN_ALPHA, // the others are a paint's
};

/* The least that shading knows of a material: the context of plain_shade and plain_mask. */
struct raster_plain {
	const struct raster_scene *scene; // borrowed
	float base_color[4];
	enum plain_colors colors;
	float hole;  // below this alpha is one
	float least; // what is left has at least this alpha
	float emissive[3];
	bool lit;              // else the base colour and emission as they are
	struct raster_map map; // of the base colour
};

/* texture is the base colour's, borrowed; NULL = none. unlit: no light falls on the primitive,
 * whatever its material. */
void raster_plain_begin(struct raster_plain *plain, const struct raster_scene *scene,
	const struct material *material, const struct raster_texture *texture, bool unlit);

/* Linear light, premultiplied by alpha; context is a struct raster_plain. */
raster_shade plain_shade, plain_shade_avx2, plain_shade_avx512;
raster_mask plain_mask, plain_mask_avx2, plain_mask_avx512;
