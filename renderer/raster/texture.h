/* Textures as the rasteriser reads them: 16 bits a channel, RGB linear, in levels that halve. Each
 * level has one more column and row that repeat its wrap mode's neighbours, so that four texels
 * that are mixed lie in two pairs. */
#pragma once

#include "base/error.h"
#include "model/material.h"
#include "raster/mesh.h"

/* Greatest side of an image; a larger one starts at a smaller level. */
#define TEXTURE_SIDE_MAX 8192
#define TEXTURE_LEVELS_MAX 14
/* Places of starts: one more than levels, in a register of 16. */
#define TEXTURE_STARTS 16

struct raster_texture {
	float width, height; // of the first level
	enum wrap wraps[2];
	bool nearest; // texels are not mixed, but levels are
	bool between; // levels are mixed; else the nearest one is taken
	/* The sides of level i are those of the image halved i times, rounded down, but at least 1;
	 * rows are one texel longer. starts: the first texel of each; of what is behind the last
	 * level that one's. */
	int level_count;
	int32_t starts[TEXTURE_STARTS];
	uint16_t *texels; // [4] to each; owned
	size_t bytes;
};

/* A texture in one of its uses. encoded: RGB are sRGB; else numbers, which come from one level
 * alone, as the GL path has them. NULL with ERROR_TOO_LARGE. */
struct raster_texture *raster_texture_create(
	const struct image *image, const struct texture *texture, bool encoded, struct error *err);
void raster_texture_destroy(struct raster_texture *texture); // takes NULL

/* Places on a texture, and how they change from a pixel to the next. */
struct raster_places {
	float u[RASTER_QUEUE], v[RASTER_QUEUE];
	float u_right[RASTER_QUEUE], v_right[RASTER_QUEUE]; // to the right
	float u_down[RASTER_QUEUE], v_down[RASTER_QUEUE];   // downwards
};

/* RGBA in [0, 1] at places; count is a multiple of the lanes. The level is half the logarithm of
 * the greater of both changes in texels, squared, at least 0. Whatever is mixed is mixed in whole
 * numbers, within 1e-4 of exact; white is exactly 1. */
typedef void raster_texture_function(const struct raster_texture *texture,
	const struct raster_places *places, int count, float (*out)[4]);
raster_texture_function texture_sample, texture_sample_avx2, texture_sample_avx512;

/* A texture's transform: u' v' = rows of 2x3 times u v 1. */
typedef void raster_places_function(const float rows[static 6], const struct raster_places *from,
	int count, struct raster_places *to);
raster_places_function texture_transform, texture_transform_avx2, texture_transform_avx512;
