/* PNGs as nearly all textures are: 8-bit RGB or RGBA, not interlaced, without a transparent colour.
 * Source: W3C, Portable Network Graphics, second edition. */
#pragma once

#include "import/image.h"

/* Decodes such a file, several times as fast as libpng does. False, with nothing allocated and no
 * error, for all others, those with anything wrong or unknown among them: libpng has the say on
 * them. Only a stream whose distance codes are an incomplete set, which zlib refuses, is read here,
 * if its checksum is right. Any thread. */
bool png_plain_decode(const struct image_source *source, struct image *image);

/* Consecutive rows of a picture. */
struct png_rows {
	const unsigned char
		*filtered; // [count] of a filter's number and width pixels; then 4 bytes
	size_t width;
	int channels; // 3 or 4
	size_t count;
	const unsigned char *above; // RGBA of the row before them; of the first row zeros
	unsigned char *rgba;        // out: [count][width][4]
};

/* Undoes their filters; RGB becomes opaque. False where a filter is unknown. */
bool png_unfilter(const struct png_rows *rows);
