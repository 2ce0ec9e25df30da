/* Colours of a palette for the pixels of a picture, so that some pixels together have the colour
 * that none of the palette has. */
#pragma once

#include <stdbool.h>

#define GIF_PALETTE_MOST 256

struct gif_palette {
	int count;
	unsigned char colors[GIF_PALETTE_MOST][3]; // [count]
};

/* Dithers by a fixed pattern of 8 x 8 pixels (Bayer's): what a pixel becomes depends on its colour,
 * its place and the palette alone, so that what stays the same from frame to frame does so here.
 * Each pixel takes one of the two colours between which its own is nearest to lying.
 *
 * rgba     [height][width][4]
 * indices  [height][width]: a colour near each pixel's, which is replaced; those that are no colour
 *          of the palette stay as they are
 *
 * Source: Bayer. An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures.
 * ICC 1973. */
void gif_dither(const struct gif_palette *palette, int width, int height, const unsigned char *rgba,
	unsigned char *indices);
