// The container of PNG files: libpng writes it, with chunks that are ready made.
#include "image/png_file.h"

#include <isa-l/igzip_lib.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"

/* PNG's limit on the length of a chunk. */
#define CHUNK_BYTES_MAX 0x7fffffff

/* zlib's level that takes longest. */
#define COMPRESSION_MOST 9

/* Length, type and checksum of a chunk. */
#define CHUNK_FRAME_BYTES 12

/* The output and the error of libpng during one call. */
struct png_file {
	png_structp png;
	png_infop info;
	struct buffer *out;
	struct error *err;
};

static void on_error(png_structp png, png_const_charp message) {
	struct png_file *file = png_get_error_ptr(png);
	error_set(file->err, ERROR_INTERNAL, "libpng: %s", message);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
	(void)png;
	(void)message;
}

static void on_write(png_structp png, png_bytep data, size_t length) {
	struct png_file *file = png_get_io_ptr(png);
	buffer_append(file->out, data, length);
}

static void on_flush(png_structp png) {
	(void)png;
}

struct png_file *png_file_create(struct error *err) {
	struct png_file *file = xcalloc(1, sizeof *file);
	file->err = err;
	file->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, on_error, on_warning);
	file->info = file->png ? png_create_info_struct(file->png) : NULL;
	if (!file->info) {
		error_set(err, ERROR_INTERNAL, "libpng cannot start");
		png_file_destroy(file);
		return NULL;
	}
	png_set_write_fn(file->png, file, on_write, on_flush);
	return file;
}

void png_file_destroy(struct png_file *file) {
	if (file) {
		png_destroy_write_struct(&file->png, &file->info);
		free(file);
	}
}

static void set_text(struct png_file *file, const struct png_text *text) {
	png_text item = {
		.compression = PNG_ITXT_COMPRESSION_NONE,
		.key = (char *)text->keyword,
		.text = (char *)text->text,
	};
	png_set_text(file->png, file->info, &item, 1);
}

bool png_file_begin(struct png_file *file, const struct picture *like, const struct png_text *text,
	struct buffer *out, struct error *err) {
	file->out = out;
	file->err = err;
	if (setjmp(png_jmpbuf(file->png))) {
		return false;
	}
	const bool grey = like->grey16 != NULL;
	png_set_IHDR(file->png, file->info, (png_uint_32)like->width, (png_uint_32)like->height,
		grey ? 16 : 8, grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB_ALPHA,
		PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (!grey) {
		png_set_sRGB(file->png, file->info, PNG_sRGB_INTENT_PERCEPTUAL);
	}
	if (text) {
		set_text(file, text);
	}
	png_write_info(file->png, file->info);
	return true;
}

bool png_file_chunk(struct png_file *file, const struct png_chunk *chunk, struct buffer *out,
	struct error *err) {
	const size_t bytes = chunk->front_bytes + chunk->data_bytes;
	if (bytes > CHUNK_BYTES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "a PNG chunk of %zu bytes", bytes);
	}
	if (!buffer_try_reserve(out, bytes + CHUNK_FRAME_BYTES, "PNG chunk", err)) {
		return false;
	}
	file->out = out;
	file->err = err;
	if (setjmp(png_jmpbuf(file->png))) {
		return false;
	}
	png_write_chunk_start(file->png, (png_const_bytep)chunk->type, (png_uint_32)bytes);
	png_write_chunk_data(file->png, chunk->front, chunk->front_bytes);
	png_write_chunk_data(file->png, chunk->data, chunk->data_bytes);
	png_write_chunk_end(file->png);
	return true;
}

bool png_file_end(struct png_file *file, struct buffer *out, struct error *err) {
	const struct png_chunk end = {.type = "IEND"};
	return png_file_chunk(file, &end, out, err);
}

bool png_file_indexed(struct png_file *file, const struct png_indexed *picture, struct buffer *out,
	struct error *err) {
	png_color palette[PNG_COLORS_MAX];
	for (int i = 0; i < picture->color_count; i++) {
		palette[i] = (png_color){
			picture->colors[i][0], picture->colors[i][1], picture->colors[i][2]};
	}
	file->out = out;
	file->err = err;
	if (setjmp(png_jmpbuf(file->png))) {
		return false;
	}
	png_set_IHDR(file->png, file->info, (png_uint_32)picture->width,
		(png_uint_32)picture->height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(file->png, file->info, PNG_sRGB_INTENT_PERCEPTUAL);
	png_set_PLTE(file->png, file->info, palette, picture->color_count);
	png_set_compression_level(file->png, COMPRESSION_MOST);
	png_set_filter(file->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
	png_write_info(file->png, file->info);
	for (int y = 0; y < picture->height; y++) {
		png_write_row(file->png, picture->indices + (size_t)y * (size_t)picture->width);
	}
	png_write_end(file->png, NULL);
	return true;
}

/* Every row is stored as its difference to the row above: for pictures of shaded surfaces on an
 * even ground nearly as small as choosing among all five filters, at a tenth of the cost. */
#define FILTER_UP 2

/* The input limit of one call to ISA-L. */
#define DEFLATE_BYTES_MAX 0x7fffffff

static size_t row_bytes(const struct picture *picture) {
	return (size_t)picture->width * (picture->grey16 ? 2 : 4);
}

/* A row of the picture as PNG stores it: samples of 16 bits have the greater byte first. room is
 * for as many bytes as a row has. */
static const unsigned char *stored_row(const struct picture *picture, int y, unsigned char *room) {
	const size_t width = (size_t)picture->width;
	if (!picture->grey16) {
		return picture->rgba + (size_t)y * width * 4;
	}
	const uint16_t *row = picture->grey16 + (size_t)y * width;
	for (size_t x = 0; x < width; x++) {
		room[x * 2] = (unsigned char)(row[x] >> 8);
		room[x * 2 + 1] = (unsigned char)row[x];
	}
	return room;
}

/* The rows with their filter byte in front, as they go into the deflate stream. rooms are for two
 * rows of 16 bits a sample. */
static void filter_rows(
	const struct picture *picture, unsigned char *const rooms[2], unsigned char *out) {
	const size_t bytes = row_bytes(picture);
	const unsigned char *above = NULL;
	for (int y = 0; y < picture->height; y++) {
		const unsigned char *row = stored_row(picture, y, rooms[y % 2]);
		*out++ = FILTER_UP;
		if (y == 0) {
			memcpy(out, row, bytes);
		}
		for (size_t i = 0; y > 0 && i < bytes; i++) {
			out[i] = (unsigned char)(row[i] - above[i]);
		}
		above = row;
		out += bytes;
	}
}

/* Deflates into a zlib stream: at level 1, which takes a tenth of zlib's time at level 3 for files
 * as large. Which of two matches ISA-L 2.30 takes can depend on the addresses of its memory: in 5
 * of 675 processes that deflated the same rows, a call gave other bytes than most. Pixels are what
 * stays the same, and not files. */
static bool deflate_rows(
	unsigned char *filtered, size_t filtered_bytes, struct buffer *out, struct error *err) {
	// Rows that cannot be made smaller are stored, with five bytes for every 64 KiB.
	const size_t room = filtered_bytes + filtered_bytes / 8192 + 256;
	if (!buffer_try_reserve(out, room, "PNG", err)) {
		return false;
	}
	unsigned char *level_memory = xcalloc(ISAL_DEF_LVL1_DEFAULT, 1);
	struct isal_zstream stream = {0}; // its init leaves tables that change the output
	isal_deflate_stateless_init(&stream);
	stream.level = 1;
	stream.level_buf = level_memory;
	stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	stream.gzip_flag = IGZIP_ZLIB;
	stream.end_of_stream = 1;
	stream.flush = NO_FLUSH;
	stream.next_in = filtered;
	stream.avail_in = (uint32_t)filtered_bytes;
	stream.next_out = out->data + out->size;
	stream.avail_out = (uint32_t)room;
	const int result = isal_deflate_stateless(&stream);
	free(level_memory);
	if (result != COMP_OK) {
		return error_set(
			err, ERROR_INTERNAL, "ISA-L cannot deflate %zu bytes", filtered_bytes);
	}
	out->size += stream.total_out;
	return true;
}

bool png_pack_rows(const struct picture *picture, struct buffer *out, struct error *err) {
	const size_t bytes = row_bytes(picture);
	const size_t filtered_bytes = (bytes + 1) * (size_t)picture->height;
	if (filtered_bytes > DEFLATE_BYTES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "a PNG of %zu bytes", filtered_bytes);
	}
	const size_t room = picture->grey16 ? bytes : 0;
	unsigned char *filtered = try_alloc(filtered_bytes + 2 * room, 1, "PNG rows", err);
	if (!filtered) {
		return false;
	}
	unsigned char *const rooms[2] = {
		filtered + filtered_bytes, filtered + filtered_bytes + room};
	filter_rows(picture, rooms, filtered);
	const bool ok = deflate_rows(filtered, filtered_bytes, out, err);
	free(filtered);
	return ok;
}
