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

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(png_of_grey_keeps_all_sixteen_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
