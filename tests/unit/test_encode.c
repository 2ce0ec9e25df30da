// Pictures as files, read back by the libraries that everybody reads them with.
#include "image/encode.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"

enum { WIDTH = 37, HEIGHT = 23 };

static void png_of_grey_keeps_all_sixteen_bits(void **state) {
	(void)state;
	uint16_t grey[HEIGHT][WIDTH], read[HEIGHT][WIDTH];
	for (int i = 0; i < HEIGHT * WIDTH; i++) {
		grey[i / WIDTH][i % WIDTH] = (uint16_t)(i * 40503u >> 3);
	}
	const struct picture picture = {.width = WIDTH, .height = HEIGHT, .grey16 = grey[0]};
	struct buffer file = {0};
	struct error err = {0};
	assert_true(encode_png(&picture, &file, &err));
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, file.data, file.size));
	assert_int_equal(image.width, WIDTH);
	assert_int_equal(image.height, HEIGHT);
	// libpng takes 16 bits of a file without gAMA and sRGB for linear ones.
	assert_int_equal(image.format, PNG_FORMAT_LINEAR_Y);
	assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
	assert_memory_equal(read, grey, sizeof grey);
	buffer_finish(&file);
}

/* A PNG with a palette, as colours; RGB is 3 bytes a pixel. */
static void read_palette(const struct picture *picture, unsigned char *rgb, size_t *bytes) {
	struct buffer file = {0};
	struct error err = {0};
	assert_true(encode_png_palette(picture, &file, &err));
	*bytes = file.size;
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, file.data, file.size));
	assert_int_equal(image.width, picture->width);
	assert_int_equal(image.height, picture->height);
	assert_true(image.format & PNG_FORMAT_FLAG_COLORMAP);
	assert_in_range(image.colormap_entries, 1, 256);
	image.format = PNG_FORMAT_RGB;
	assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
	buffer_finish(&file);
}

static int farthest(const unsigned char *rgba, const unsigned char *rgb, int pixels) {
	int most = 0;
	for (int i = 0; i < pixels * 3; i++) {
		const int apart = abs(rgba[i / 3 * 4 + i % 3] - rgb[i]);
		most = apart > most ? apart : most;
	}
	return most;
}

static void palette_has_few_colors_as_they_are(void **state) {
	(void)state;
	enum { PIXELS = WIDTH * HEIGHT };
	unsigned char rgba[PIXELS * 4], rgb[PIXELS * 3];
	for (int i = 0; i < PIXELS; i++) {
		const int color = i % 256;
		memcpy(rgba + 4 * i,
			((unsigned char[]){(unsigned char)color, (unsigned char)(3 * color),
				(unsigned char)(255 - color), 255}),
			4);
	}
	const struct picture picture = {.width = WIDTH, .height = HEIGHT, .rgba = rgba};
	size_t bytes;
	read_palette(&picture, rgb, &bytes);
	assert_int_equal(farthest(rgba, rgb, PIXELS), 0);
}

/* A ramp of 1,024 greys of slightly different hues is within half of a cube of its own colours. */
static void palette_of_many_colors_is_near_them(void **state) {
	(void)state;
	enum { SIDE = 64, PIXELS = SIDE * SIDE };
	static unsigned char rgba[PIXELS * 4], rgb[PIXELS * 3], again[PIXELS * 3];
	for (int i = 0; i < PIXELS; i++) {
		const int level = i / 16;
		memcpy(rgba + 4 * i,
			((unsigned char[]){(unsigned char)level,
				(unsigned char)(level * (240 + i % 4) / 255),
				(unsigned char)(level * 9 / 10), 255}),
			4);
	}
	const struct picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
	size_t bytes, same;
	read_palette(&picture, rgb, &bytes);
	read_palette(&picture, again, &same);
	assert_in_range(farthest(rgba, rgb, PIXELS), 1, 8);
	assert_int_equal(same, bytes);
	assert_memory_equal(rgb, again, sizeof rgb);
}

/* Colours from all over the cube, where no two pixels are alike. */
static void palette_of_all_colors_is_possible(void **state) {
	(void)state;
	enum { SIDE = 128, PIXELS = SIDE * SIDE };
	static unsigned char rgba[PIXELS * 4], rgb[PIXELS * 3];
	for (int i = 0; i < PIXELS; i++) {
		const unsigned hash = (unsigned)i * 2654435761u;
		memcpy(rgba + 4 * i, &hash, 4);
	}
	const struct picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
	size_t bytes;
	read_palette(&picture, rgb, &bytes);
	assert_in_range(farthest(rgba, rgb, PIXELS), 1, 64);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(png_of_grey_keeps_all_sixteen_bits),
		cmocka_unit_test(palette_has_few_colors_as_they_are),
		cmocka_unit_test(palette_of_many_colors_is_near_them),
		cmocka_unit_test(palette_of_all_colors_is_possible),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
