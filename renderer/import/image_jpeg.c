// JPEG through libjpeg: grey and colour pictures become opaque 8-bit RGBA.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "base/delayed.h"
#include "import/image.h"
#include "import/limits.h"

/* libjpeg hands its callbacks the struct that it was given: what else they need lies around it. */
struct reader {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf escape;
	struct error *err;
};

static void on_error(j_common_ptr jpeg) {
	struct reader *reader = jpeg->client_data;
	char message[JMSG_LENGTH_MAX];
	jpeg->err->format_message(jpeg, message);
	error_set(reader->err, ERROR_BROKEN_ASSET, "JPEG: %s", message);
	longjmp(reader->escape, 1);
}

static void on_message(j_common_ptr jpeg) {
	(void)jpeg; // libjpeg's warnings would go to standard error
}

/* A small file can ask for thousands of passes over a large picture. */
static void on_progress(j_common_ptr jpeg) {
	struct reader *reader = jpeg->client_data;
	if (reader->jpeg.input_scan_number > IMAGE_JPEG_SCANS_MAX) {
		error_set(reader->err, ERROR_TOO_LARGE, "JPEG: more than %d scans",
			IMAGE_JPEG_SCANS_MAX);
		longjmp(reader->escape, 1);
	}
}

/* Spreads a row of RGB, which stands at the row's own front, to RGBA: from the back. */
static void spread(unsigned char *row, size_t width) {
	for (size_t x = width; x-- > 0;) {
		const unsigned char r = row[x * 3], g = row[x * 3 + 1], b = row[x * 3 + 2];
		row[x * 4] = r;
		row[x * 4 + 1] = g;
		row[x * 4 + 2] = b;
		row[x * 4 + 3] = 0xff;
	}
}

static bool decode(struct reader *reader, const struct image_source *source, struct image *image) {
	struct jpeg_decompress_struct *jpeg = &reader->jpeg;
	if (setjmp(reader->escape)) {
		return false;
	}
	jpeg_create_decompress(jpeg);
	jpeg->client_data = reader;
	jpeg->progress = &reader->progress;
	jpeg_mem_src(jpeg, source->bytes, source->size);
	jpeg_read_header(jpeg, TRUE);
	jpeg->out_color_space = JCS_RGB; // libjpeg refuses CMYK here, in its own words
	if (!image_allocate(source, jpeg->image_width, jpeg->image_height, image, reader->err)) {
		return false;
	}
	jpeg_start_decompress(jpeg);
	while (jpeg->output_scanline < jpeg->output_height) {
		unsigned char *row =
			image->rgba + (size_t)jpeg->output_scanline * jpeg->output_width * 4;
		jpeg_read_scanlines(jpeg, &row, 1);
		spread(row, jpeg->output_width);
	}
	return true;
}

bool image_jpeg_decode(const struct image_source *source, struct image *image, struct error *err) {
	if (!delayed_load(&delayed_jpeg, err)) {
		return false;
	}
	struct error ignored = {0};
	struct reader reader = {.err = err ? err : &ignored};
	reader.jpeg.err = jpeg_std_error(&reader.errors);
	reader.jpeg.client_data = &reader;
	reader.errors.error_exit = on_error;
	reader.errors.output_message = on_message;
	reader.progress.progress_monitor = on_progress;
	const bool decoded = decode(&reader, source, image);
	jpeg_destroy_decompress(&reader.jpeg);
	return decoded;
}
