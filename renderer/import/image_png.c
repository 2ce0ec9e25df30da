// PNG: every colour type and depth becomes 8-bit RGBA. Through libpng, but for plain files.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "import/image.h"
#include "import/limits.h"
#include "import/png_plain.h"

/* State that the callbacks share, outside of the frame of setjmp so that it is not clobbered. */
struct reader {
	const unsigned char *bytes;
	size_t left;
	struct error *err;
	png_structp png;
	png_infop info;
};

static void on_error(png_structp png, png_const_charp message) {
	struct reader *reader = png_get_error_ptr(png);
	error_set(reader->err, ERROR_BROKEN_ASSET, "PNG: %s", message);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
	(void)png, (void)message; // about chunks that do not matter here
}

static void on_read(png_structp png, png_bytep out, size_t count) {
	struct reader *reader = png_get_io_ptr(png);
	if (count > reader->left) {
		png_error(png, "the data is cut off");
	}
	memcpy(out, reader->bytes, count);
	reader->bytes += count;
	reader->left -= count;
}

/* Whatever the file holds comes out as four bytes per pixel. */
static void set_transforms(const struct reader *reader) {
	png_set_expand(reader->png); // palettes, 1 to 4 bits, tRNS
	png_set_scale_16(reader->png);
	png_set_gray_to_rgb(reader->png);
	png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
}

static bool decode(struct reader *reader, const struct image_source *source, struct image *image) {
	if (setjmp(png_jmpbuf(reader->png))) {
		return false;
	}
	png_set_read_fn(reader->png, reader, on_read);
	// Every chunk has a CRC; the second checksum over the same pixels only costs time.
	png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
	png_set_user_limits(reader->png, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX);
	// Text and colour profiles are not looked at; few bytes suffice for the rest.
	png_set_chunk_malloc_max(reader->png, 1 << 20);
	png_read_info(reader->png, reader->info);
	const size_t width = png_get_image_width(reader->png, reader->info);
	const size_t height = png_get_image_height(reader->png, reader->info);
	if (!image_allocate(source, width, height, image, reader->err)) {
		return false;
	}
	set_transforms(reader);
	const int passes = png_set_interlace_handling(reader->png);
	png_read_update_info(reader->png, reader->info);
	for (int pass = 0; pass < passes; pass++) {
		for (size_t y = 0; y < height; y++) {
			png_read_row(reader->png, image->rgba + y * width * 4, NULL);
		}
	}
	return true;
}

bool image_png_decode(const struct image_source *source, struct image *image, struct error *err) {
	if (png_plain_decode(source, image)) {
		return true;
	}
	struct error ignored = {0};
	struct reader reader = {source->bytes, source->size, err ? err : &ignored, NULL, NULL};
	reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
	reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
	const bool decoded = reader.info ? decode(&reader, source, image)
					 : error_set(err, ERROR_TOO_LARGE, "PNG: out of memory");
	png_destroy_read_struct(&reader.png, &reader.info, NULL);
	return decoded;
}
