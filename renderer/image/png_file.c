// The container of PNG files: libpng writes it, with chunks that are ready made.
#include "image/png_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "image/encode.h"

/* PNG's limit on the length of a chunk. */
#define CHUNK_BYTES_MAX 0x7fffffff

/* Length, type and checksum of a chunk. */
#define CHUNK_FRAME_BYTES 12

/* Where libpng writes to, and what it says, during one call. */
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
