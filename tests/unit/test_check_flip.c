// Structural similarity and FLIP, held against closed forms and other implementations' numbers.
#include <stdbool.h>
#include <string.h>

#include "against/flip.h"
#include "against/ssim.h"
#include "check.h"

#define WIDTH 64
#define HEIGHT 48

static unsigned char first[HEIGHT][WIDTH][4], second[HEIGHT][WIDTH][4];
static double map[HEIGHT * WIDTH];

static void fill(unsigned char picture[HEIGHT][WIDTH][4], int red, int green, int blue) {
	for (int p = 0; p < HEIGHT * WIDTH; p++) {
		unsigned char *pixel = picture[p / WIDTH][p % WIDTH];
		pixel[0] = (unsigned char)red;
		pixel[1] = (unsigned char)green;
		pixel[2] = (unsigned char)blue;
		pixel[3] = 255;
	}
}

/* A ramp, a chequerboard and a moiré; changed: with noise, brighter, and in part inverted. */
static void fill_pattern(unsigned char picture[HEIGHT][WIDTH][4], bool changed) {
	unsigned seed = 12345;
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			unsigned char *pixel = picture[y][x];
			pixel[0] = (unsigned char)((x * 5 + y * 3) & 255);
			pixel[1] = (x / 8 + y / 8) % 2 != 0 ? 200 : 40;
			pixel[2] = (unsigned char)((x * y) & 255);
			pixel[3] = 255;
			seed = seed * 1664525u + 1013904223u;
			if (changed && x > WIDTH / 4 && x < 3 * WIDTH / 4) {
				pixel[0] = (unsigned char)(pixel[0] ^ (seed >> 28));
				pixel[1] = (unsigned char)(pixel[1] + 17);
			}
			if (changed && y > HEIGHT / 2) {
				pixel[2] = (unsigned char)(255 - pixel[2]);
			}
		}
	}
}

static const struct flip_picture pictures[2] = {
	{&first[0][0][0], sizeof first[0]}, {&second[0][0][0], sizeof second[0]}};

static double mean_flip(void) {
	double sum = 0;
	flip_compare(&pictures[0], &pictures[1], WIDTH, HEIGHT, FLIP_PIXELS_PER_DEGREE, map);
	for (int p = 0; p < WIDTH * HEIGHT; p++) {
		assert_true(map[p] >= 0 && map[p] <= 1 + 1e-12);
		sum += map[p];
	}
	return sum / (WIDTH * HEIGHT);
}

static double mean_ssim(void) {
	double sum = 0;
	int count = 0;
	ssim_compare(&pictures[0], &pictures[1], WIDTH, HEIGHT, map);
	for (int p = 0; p < WIDTH * HEIGHT; p++) {
		if (!isnan(map[p])) {
			sum += map[p];
			count++;
		}
	}
	assert_int_equal(count, (WIDTH - 2 * SSIM_RADIUS) * (HEIGHT - 2 * SSIM_RADIUS));
	return sum / count;
}

static void equal_pictures_have_no_difference(void **state) {
	(void)state;
	fill_pattern(first, false);
	fill_pattern(second, false);
	assert_near(mean_flip(), 0, 0);
	assert_near(mean_ssim(), 1, 1e-15);
}

/* Plain colours have no features, and are as they are after any blur. Green and blue are farthest
 * apart of all. */
static void plain_colours_differ_as_the_paper_says(void **state) {
	(void)state;
	fill(first, 0, 255, 0);
	fill(second, 0, 0, 255);
	assert_near(mean_flip(), 1, 1e-9);
	// Black and white: 100 apart in lightness alone. Green and blue in CIELAB, as tables have
	// them: 87.7350 -86.1816 83.1775 and 32.3011 79.1952 -107.8554.
	fill(first, 0, 0, 0);
	fill(second, 255, 255, 255);
	const double green[3] = {87.7350, -86.1816 * .877350, 83.1775 * .877350};
	const double blue[3] = {32.3011, 79.1952 * .323011, -107.8554 * .323011};
	const double most =
		pow(green[0] - blue[0] + hypot(green[1] - blue[1], green[2] - blue[2]), 0.7);
	const double expected = 0.95 + 0.05 * (pow(100, 0.7) - 0.4 * most) / (most - 0.4 * most);
	assert_near(mean_flip(), expected, 1e-5);
	// Below the knee the difference grows as its power does.
	fill(first, 128, 128, 128);
	fill(second, 132, 132, 132);
	double lightness[2];
	for (int i = 0; i < 2; i++) {
		const double linear = pow(((128 + 4 * i) / 255.0 + 0.055) / 1.055, 2.4);
		lightness[i] = 116 * cbrt(linear) - 16;
	}
	assert_near(mean_flip(), 0.95 / (0.4 * most) * pow(lightness[1] - lightness[0], 0.7), 1e-5);
}

/* The numbers are those of the authors' own program, in float32, of these pictures. */
static void a_pattern_differs_as_the_authors_have_it(void **state) {
	(void)state;
	fill_pattern(first, false);
	fill_pattern(second, true);
	assert_near(mean_flip(), 0.256730937, 1e-6);
	static const struct {
		int x, y;
		double value;
	} pixels[] = {{0, 0, 0.000000}, {17, 3, 0.186313}, {31, 24, 0.238511}, {40, 30, 0.425658},
		{63, 47, 0.218981}, {5, 40, 0.411403}};
	for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
		assert_near(map[pixels[i].y * WIDTH + pixels[i].x], pixels[i].value, 1e-5);
	}
}

/* Of plain pictures only the means count. */
static void similarity_of_plain_pictures_is_that_of_their_means(void **state) {
	(void)state;
	fill(first, 100, 100, 100);
	fill(second, 130, 130, 130);
	const double c = 0.01 * 255 * 0.01 * 255;
	assert_near(mean_ssim(), (2.0 * 100 * 130 + c) / (100.0 * 100 + 130.0 * 130 + c), 1e-9);
}

/* The number is that of another implementation (ssim.js, "original") of the same pictures. */
static void similarity_of_a_pattern_is_that_of_others(void **state) {
	(void)state;
	unsigned char(*const both[2])[WIDTH][4] = {first, second};
	for (int i = 0; i < 2; i++) {
		fill_pattern(both[i], i == 1);
		for (int p = 0; p < WIDTH * HEIGHT; p++) {
			unsigned char *pixel = both[i][p / WIDTH][p % WIDTH];
			const double luma = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
			memset(pixel, (int)floor(luma + 0.5), 3);
		}
	}
	assert_near(mean_ssim(), 0.942966175207582, 1e-9);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_pictures_have_no_difference),
		cmocka_unit_test(plain_colours_differ_as_the_paper_says),
		cmocka_unit_test(a_pattern_differs_as_the_authors_have_it),
		cmocka_unit_test(similarity_of_plain_pictures_is_that_of_their_means),
		cmocka_unit_test(similarity_of_a_pattern_is_that_of_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
