// Dithering: means, patterns, and what is left alone.
#include "image/gif_dither.h"

#include <string.h>

#include "base/memory.h"
#include "check.h"

/* Of a pattern. */
#define SIDE 8

#define STEP 8
#define OUTSIDE 255

/* Greys, STEP apart, the last of them white. */
static struct gif_palette greys(void) {
	struct gif_palette palette = {.count = 255 / STEP + 2};
	for (int i = 0; i < palette.count; i++) {
		const int grey = i * STEP < 255 ? i * STEP : 255;
		memset(palette.colors[i], grey, 3);
	}
	return palette;
}

/* A square of one grey. */
static void fill(int grey, unsigned char rgba[static SIDE * SIDE * 4]) {
	for (int i = 0; i < SIDE * SIDE; i++) {
		memset(rgba + (size_t)i * 4, grey, 3);
		rgba[i * 4 + 3] = 255;
	}
}

static void squares_have_the_mean_of_their_color(void **state) {
	(void)state;
	const struct gif_palette palette = greys();
	for (int grey = 0; grey < 256; grey++) {
		unsigned char rgba[SIDE * SIDE * 4], indices[SIDE * SIDE];
		fill(grey, rgba);
		memset(indices, grey / STEP, sizeof indices);
		gif_dither(&palette, SIDE, SIDE, rgba, indices);
		int sum = 0;
		for (int i = 0; i < SIDE * SIDE; i++) {
			const int shown = palette.colors[indices[i]][0];
			assert_true(shown > grey - STEP && shown < grey + STEP);
			sum += shown;
		}
		// Shares are of as many pixels as the square has.
		assert_near((double)sum / (SIDE * SIDE), grey, 0.5 * STEP / (SIDE * SIDE) + 1e-9);
	}
}

/* Each grey adds bright pixels to those that a darker one has, so that slopes have no seams. */
static void brighter_squares_keep_the_bright_pixels(void **state) {
	(void)state;
	const struct gif_palette palette = greys();
	unsigned char last[SIDE * SIDE] = {0};
	for (int grey = 0; grey < 256; grey++) {
		unsigned char rgba[SIDE * SIDE * 4], indices[SIDE * SIDE];
		fill(grey, rgba);
		memset(indices, grey / STEP, sizeof indices);
		gif_dither(&palette, SIDE, SIDE, rgba, indices);
		for (int i = 0; i < SIDE * SIDE; i++) {
			assert_true(indices[i] >= last[i]);
		}
		memcpy(last, indices, sizeof last);
	}
}

static void colors_of_the_palette_and_what_has_none_stay(void **state) {
	(void)state;
	const struct gif_palette palette = greys();
	unsigned char rgba[SIDE * SIDE * 4], indices[SIDE * SIDE];
	fill(3 * STEP, rgba);
	// A guess next to the right one is mended; the lower half is to stay what it is.
	memset(indices, 4, sizeof indices / 2);
	memset(indices + sizeof indices / 2, OUTSIDE, sizeof indices / 2);
	gif_dither(&palette, SIDE, SIDE, rgba, indices);
	for (size_t i = 0; i < sizeof indices; i++) {
		assert_int_equal(indices[i], i < sizeof indices / 2 ? 3 : OUTSIDE);
	}
	const struct gif_palette one = {.count = 1, .colors = {{9, 9, 9}}};
	memset(indices, 0, sizeof indices);
	gif_dither(&one, SIDE, SIDE, rgba, indices);
	assert_int_equal(indices[SIDE], 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(squares_have_the_mean_of_their_color),
		cmocka_unit_test(brighter_squares_keep_the_bright_pixels),
		cmocka_unit_test(colors_of_the_palette_and_what_has_none_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
