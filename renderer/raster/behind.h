/* A copy of what lies behind surfaces with transmission: the picture's opaque surfaces and its
 * background, in linear light before tone mapping, with levels of half the size each. */
#pragma once

#include <stddef.h>

#define RASTER_BEHIND_LEVELS 16

struct raster_behind {
	int width, height;                        // of level 0, pixels
	int levels;                               // the last has one pixel; 0 = nothing was copied
	float (*texels[RASTER_BEHIND_LEVELS])[4]; // rows from the top, premultiplied by alpha
};

/* Makes the levels behind the first, whose texels are set: the mean of 2 x 2 pixels; an odd last
 * row or column is left out. texels is room for raster_behind_texels(). */
void raster_behind_make(struct raster_behind *behind);

/* Sets the size and where the levels lie in memory, [raster_behind_texels(width, height)]. */
void raster_behind_place(struct raster_behind *behind, int width, int height, float (*texels)[4]);
size_t raster_behind_texels(int width, int height);

/* The light at a place, 0 to 1 from left to right and from the top, of a level and the next:
 * cubic B-splines, which go on beyond edges. The same bits everywhere. */
void raster_behind_at(const struct raster_behind *behind, const float place[static 2], float level,
	float out[static 4]);
