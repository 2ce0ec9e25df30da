/* Colours of a palette for the pixels of a picture, so that some pixels together have the colour
 * that none of the palette has. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

#define GIF_PALETTE_MAX 256

struct gif_palette {
	int count;
	unsigned char colors[GIF_PALETTE_MAX][3]; // [count]
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

struct sequence_settings;

/* Appends a frame as a GIF of its own, with a palette of its own.
 *
 * rgba  [height][width][4], straight alpha: what is less than half opaque becomes transparent, the
 *       rest opaque. Colours are dithered unless settings->plain_colors
 * Fails with ERROR_TOO_LARGE when memory is out, ERROR_INTERNAL with giflib's words. Any thread. */
bool gif_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *out, struct error *err);

/* The bytes of such a file before the frame and behind it; and the offset in the frame where
 * its time stands, 16 bits of hundredths of a second, low byte first. */
#define GIF_HEAD_BYTES 13
#define GIF_TAIL_BYTES 1
#define GIF_DELAY_AT 4

/* Lightness in [0, 1] and two opponent colours (a: green to red, b: blue to yellow). */
struct oklab {
	double l, a, b;
};

/* The nearest bytes; what sRGB does not have is cut off channel by channel. */
void oklab_to_srgb(const struct oklab *color, unsigned char rgb[static 3]);
