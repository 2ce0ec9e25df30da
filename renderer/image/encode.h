/* Pixels -> the bytes of a picture file: one file and one table row per format. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* First row on top, rows packed: colours, or levels of grey. */
struct picture {
	int width, height;
	const unsigned char *rgba; // [height][width][4] sRGB with straight alpha
	const uint16_t *grey16;    // [height][width] distances, no light; NULL = colours
	double near, far;          // of these: what 0 and 65534 stand for; 65535 is nothing
};

/* The loss that a file may have. */
struct picture_coding {
	int quality; // 1 to 100, of formats that lose something; 0 = 90
	bool lossy;  // of formats that can do both
};

struct picture_format {
	const char *name;       // "png", the ending of file names
	const char *media_type; // "image/png"
	bool needs_background;  // it cannot store transparency
	bool supports_grey16;   // it can store 16 bits of grey
	bool is_lossy;          // what is read from it is nearly what was stored
	bool lossy_on_request;  // likewise, with coding->lossy
	/* Appends the file to out. False with ERROR_TOO_LARGE when memory is out, or with
	 * ERROR_INTERNAL and the library's own words. */
	bool (*encode)(const struct picture *picture, const struct picture_coding *coding,
		struct buffer *out, struct error *err);
};

/* The i-th format of the table, NULL past the end. */
const struct picture_format *picture_format(size_t i);

/* The format with this name; NULL = there is none. */
const struct picture_format *picture_format_named(const char *name);

/* Refuses what a format cannot store: ERROR_INVALID_VALUE with the place in the request.
 * has_background: every pixel is opaque. */
bool picture_format_check(
	const struct picture_format *format, bool has_background, struct error *err);

/* The sRGB curve in tables, for what would take a power for each channel of each pixel. */
#define ENCODE_CELLS 4096
struct srgb_tables {
	double linear[256];                      // light of each byte
	double next[256];                        // least light that rounds to a greater byte
	unsigned char encoded[ENCODE_CELLS + 1]; // byte of light i / ENCODE_CELLS
};

/* Takes as long as some thousand powers. */
void srgb_tables_init(struct srgb_tables *tables);

/* Makes premultiplied pixels straight, in place. The colours are sRGB encodings of linear light
 * times alpha, which is what blending and resolving in an sRGB framebuffer leave. */
void picture_unpremultiply(
	const struct srgb_tables *tables, unsigned char *rgba, size_t pixel_count);

/* Every format, one per file, by the name of its struct: picture_NAME. */
#define PICTURE_FORMATS(X) X(png), X(webp), X(jpeg), X(rgba)

#define PICTURE_FORMAT_NAME(name) picture_##name
extern const struct picture_format PICTURE_FORMATS(PICTURE_FORMAT_NAME);
#undef PICTURE_FORMAT_NAME

/* The same as picture_png's encode, which takes no coding. */
bool encode_png(const struct picture *picture, struct buffer *out, struct error *err);

/* A PNG of colours, without their alpha, with a palette of at most 256: those of the picture, or,
 * where it has more, the means of cubes in the space of colours, with the shortest side that gives
 * so few. Takes many times as long as encode_png. The same bytes for the same pixels. Fails
 * likewise. */
bool encode_png_palette(const struct picture *picture, struct buffer *out, struct error *err);
