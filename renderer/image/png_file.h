/* The container of PNG files, written by libpng piece by piece. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"

struct picture;
struct png_file;

/* NULL with ERROR_INTERNAL. Destroying takes NULL. */
struct png_file *png_file_create(struct error *err);
void png_file_destroy(struct png_file *file);

/* Text that goes into a file's head; UTF-8, both borrowed. */
struct png_text {
	const char *keyword; // 1 to 79 characters of Latin-1
	const char *text;
};

/* Appends what comes before all other chunks: signature, size and kind of pixels, sRGB where they
 * are colours, text (NULL = none). Only the picture's size and kind are looked at. This and the
 * next fail with ERROR_INTERNAL and libpng's words. */
bool png_file_begin(struct png_file *file, const struct picture *like, const struct png_text *text,
	struct buffer *out, struct error *err);

/* A chunk: its four letters, and what is in it in two pieces, of which either may be empty. */
struct png_chunk {
	const char *type;
	const void *front; // [front_bytes]
	size_t front_bytes;
	const void *data; // [data_bytes]
	size_t data_bytes;
};

/* Appends a chunk. Fails also with ERROR_TOO_LARGE: beyond the format's 2 GiB, or memory is out. */
bool png_file_chunk(struct png_file *file, const struct png_chunk *chunk, struct buffer *out,
	struct error *err);

/* Appends the chunk that ends a file. */
bool png_file_end(struct png_file *file, struct buffer *out, struct error *err);

#define PNG_COLORS_MAX 256

/* A picture of colours from a palette. */
struct png_indexed {
	int width, height;
	const unsigned char *indices;            // [height][width]
	unsigned char colors[PNG_COLORS_MAX][3]; // [color_count] sRGB
	int color_count;
};

/* Appends a whole file, deflated as far as zlib can. */
bool png_file_indexed(struct png_file *file, const struct png_indexed *picture, struct buffer *out,
	struct error *err);

/* Appends a picture's rows as the zlib stream that its IDAT chunks hold. Fails with ERROR_TOO_LARGE
 * when memory is out, or with ERROR_INTERNAL. Any thread. */
bool png_pack_rows(const struct picture *picture, struct buffer *out, struct error *err);
