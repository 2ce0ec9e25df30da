// PNG files: libpng writes the container, ISA-L deflates what is in it.
#include <isa-l/igzip_lib.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"

/* Every row is stored as its difference to the row above: for pictures of shaded surfaces on an
 * even ground nearly as small as choosing among all five filters, at a tenth of the cost. */
#define FILTER_UP 2

#define BYTES_PER_PIXEL 4

/* PNG's limit on the length of a chunk. */
#define CHUNK_BYTES_MAX 0x7fffffff

/* What must be let go of when libpng jumps out. */
struct encoding {
	png_structp png;
	png_infop info;
	unsigned char *filtered, *deflated; // malloc memory
	size_t deflated_bytes;
};

static void on_error(png_structp png, png_const_charp message) {
	error_set(png_get_error_ptr(png), ERROR_INTERNAL, "libpng: %s", message);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
	(void)png;
	(void)message;
}

static void on_write(png_structp png, png_bytep data, size_t length) {
	buffer_append(png_get_io_ptr(png), data, length);
}

static void on_flush(png_structp png) {
	(void)png;
}

/* The rows with their filter byte in front, as they go into the deflate stream. */
static unsigned char *filter_rows(const struct picture *picture, size_t *size) {
	const size_t row_bytes = (size_t)picture->width * BYTES_PER_PIXEL;
	*size = (row_bytes + 1) * (size_t)picture->height;
	unsigned char *filtered = xcalloc(*size, 1);
	unsigned char *out = filtered;
	for (int y = 0; y < picture->height; y++) {
		const unsigned char *row = picture->rgba + (size_t)y * row_bytes;
		*out++ = FILTER_UP;
		if (y == 0) {
			memcpy(out, row, row_bytes);
		}
		for (size_t i = 0; y > 0 && i < row_bytes; i++) {
			out[i] = (unsigned char)(row[i] - row[i - row_bytes]);
		}
		out += row_bytes;
	}
	return filtered;
}

/* Deflates into a zlib stream: at level 1, which takes a tenth of zlib's time at level 3 for files
 * as large. */
static bool deflate_rows(struct encoding *encoding, size_t filtered_bytes) {
	// What cannot be made smaller is stored, with five bytes for every 64 KiB.
	const size_t room = filtered_bytes + filtered_bytes / 8192 + 256;
	unsigned char *level_memory = xcalloc(ISAL_DEF_LVL1_DEFAULT, 1);
	encoding->deflated = xcalloc(room, 1);
	struct isal_zstream stream = {0}; // its init leaves tables that change the output
	isal_deflate_stateless_init(&stream);
	stream.level = 1;
	stream.level_buf = level_memory;
	stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	stream.gzip_flag = IGZIP_ZLIB;
	stream.end_of_stream = 1;
	stream.flush = NO_FLUSH;
	stream.next_in = encoding->filtered;
	stream.avail_in = (uint32_t)filtered_bytes;
	stream.next_out = encoding->deflated;
	stream.avail_out = (uint32_t)room;
	const int result = isal_deflate_stateless(&stream);
	free(level_memory);
	encoding->deflated_bytes = stream.total_out;
	return result == COMP_OK;
}

static void write_container(const struct encoding *encoding, const struct picture *picture) {
	png_structp png = encoding->png;
	png_set_IHDR(png, encoding->info, (png_uint_32)picture->width, (png_uint_32)picture->height,
		8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, encoding->info, PNG_sRGB_INTENT_PERCEPTUAL);
	png_write_info(png, encoding->info);
	png_write_chunk(
		png, (png_const_bytep) "IDAT", encoding->deflated, encoding->deflated_bytes);
	png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

static void finish(struct encoding *encoding) {
	png_destroy_write_struct(&encoding->png, &encoding->info);
	free(encoding->filtered);
	free(encoding->deflated);
}

bool encode_png(const struct picture *picture, struct buffer *out, struct error *err) {
	struct encoding encoding = {0};
	size_t filtered_bytes;
	encoding.filtered = filter_rows(picture, &filtered_bytes);
	if (filtered_bytes > CHUNK_BYTES_MAX || !deflate_rows(&encoding, filtered_bytes)) {
		finish(&encoding);
		return error_set(
			err, ERROR_INTERNAL, "ISA-L cannot deflate %zu bytes", filtered_bytes);
	}
	encoding.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, err, on_error, on_warning);
	encoding.info = encoding.png ? png_create_info_struct(encoding.png) : NULL;
	if (!encoding.info || setjmp(png_jmpbuf(encoding.png))) {
		finish(&encoding);
		return error_set(err, ERROR_INTERNAL, "libpng cannot start");
	}
	png_set_write_fn(encoding.png, out, on_write, on_flush);
	write_container(&encoding, picture);
	finish(&encoding);
	return true;
}
