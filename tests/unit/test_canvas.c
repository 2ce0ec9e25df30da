// Pictures put together: what is filled, copied and cut off, text, and the colours of the heat
// scale.
#include "image/canvas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/glyphs.h"

#include "check.h"

enum { WIDTH = 40, HEIGHT = 30 };

static unsigned char pixels[HEIGHT][WIDTH][4];

static struct canvas blank(void) {
	memset(pixels, 0, sizeof pixels);
	return (struct canvas){WIDTH, HEIGHT, pixels[0][0]};
}

/* Fails unless just the pixels of a place are set. */
static void expect_only(struct place place) {
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			const bool inside = x >= place.x && x < place.x + place.width &&
				y >= place.y && y < place.y + place.height;
			if (inside != (pixels[y][x][3] != 0)) {
				fail_msg("%d %d is %s", x, y, inside ? "left out" : "touched");
			}
		}
	}
}

static void places_are_cut_at_the_edges(void **state) {
	(void)state;
	static const struct {
		struct place requested, drawn;
	} rows[] = {
		{{3, 4, 5, 6}, {3, 4, 5, 6}},
		{{-3, -4, 5, 6}, {0, 0, 2, 2}},
		{{38, 28, 5, 6}, {38, 28, 2, 2}},
		{{-5, 3, 60, 1}, {0, 3, 40, 1}},
		{{50, 3, 5, 5}, {0, 0, 0, 0}},
		{{-50, -3, 5, 1}, {0, 0, 0, 0}},
		{{5, 5, 0, 7}, {0, 0, 0, 0}},
	};
	static const unsigned char color[4] = {1, 2, 3, 200};
	unsigned char *copied = calloc(60 * 7, 4);
	memset(copied, 200, 60 * 7 * 4);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas canvas = blank();
		canvas_fill(&canvas, rows[i].requested, color);
		expect_only(rows[i].drawn);
		canvas = blank();
		canvas_copy(&canvas, rows[i].requested, copied);
		expect_only(rows[i].drawn);
	}
	free(copied);
}

static void copies_keep_rows_and_alpha(void **state) {
	(void)state;
	unsigned char source[3 * 2 * 4]; // two pixels wide, three high
	for (size_t i = 0; i < sizeof source; i++) {
		source[i] = (unsigned char)(i + 1);
	}
	struct canvas canvas = blank();
	canvas_copy(&canvas, (struct place){-1, -1, 2, 3}, source);
	assert_memory_equal(pixels[0][0], source + 12, 4);
	assert_memory_equal(pixels[1][0], source + 20, 4);
	canvas_copy(&canvas, (struct place){7, 8, 2, 3}, source);
	assert_memory_equal(pixels[9][7], source + 8, 8);
}

static const unsigned char white[4] = {255, 255, 255, 255}, black[3] = {0, 0, 0};

static struct canvas paper(void) {
	struct canvas canvas = blank();
	canvas_fill(&canvas, (struct place){0, 0, WIDTH, HEIGHT}, white);
	return canvas;
}

/* Darkness in a place, in pixels of black. */
static double ink(struct place place) {
	double sum = 0;
	for (int y = place.y; y < place.y + place.height; y++) {
		for (int x = place.x; x < place.x + place.width; x++) {
			sum += (255 - pixels[y][x][1]) / 255.0;
			assert_int_equal(pixels[y][x][3], 255);
		}
	}
	return sum;
}

static void text_stays_in_its_line_and_width(void **state) {
	(void)state;
	for (int i = 0; i < GLYPH_SETS && glyph_sets[i].em <= 16; i++) {
		const struct glyph_set *letters = &glyph_sets[i];
		const int width = text_width(letters, "gA|"), height = text_height(letters);
		struct canvas canvas = paper();
		text_draw(&canvas, letters, 2, 3, "gA|", black);
		const double whole = ink((struct place){0, 0, WIDTH, HEIGHT});
		assert_true(whole > 20);
		// A letter may lean a pixel out of its advance.
		assert_near(ink((struct place){1, 3, width + 2, height}), whole, 0);
		text_draw(&canvas, letters, -1000, 3, "gA|", black);
		text_draw(&canvas, letters, 2, 1000, "gA|", black);
		assert_near(ink((struct place){0, 0, WIDTH, HEIGHT}), whole, 0);
	}
}

static void text_keeps_its_colour_over_nothing(void **state) {
	(void)state;
	const struct glyph_set *letters = text_letters(16);
	struct canvas canvas = paper();
	memset(pixels, 0, sizeof pixels);
	text_draw(&canvas, letters, 2, 3, "H", white);
	double sum = 0;
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			// Straight alpha: a letter's edge is as white as its middle, but thinner.
			assert_true(pixels[y][x][3] == 0 || pixels[y][x][1] == 255);
			sum += pixels[y][x][3] / 255.0;
		}
	}
	canvas = paper();
	text_draw(&canvas, letters, 2, 3, "H", black);
	assert_near(sum, ink((struct place){0, 0, WIDTH, HEIGHT}), 1);
}

static void letters_look_like_themselves(void **state) {
	(void)state;
	const struct glyph_set *letters = text_letters(16);
	assert_int_equal(letters->em, 16);
	const int line = text_height(letters), half = line / 2;
	struct canvas canvas = paper();
	text_draw(&canvas, letters, 0, 0, "-", black);
	const int width = text_width(letters, "-");
	// A dash has nothing in its upper third and more than a row of ink below.
	assert_near(ink((struct place){0, 0, width, line / 3}), 0, 0);
	assert_true(ink((struct place){0, line / 3, width, line / 2}) > 3);
	// A bar goes through the whole height in few columns; "T" has its weight above, "L" below.
	canvas = paper();
	text_draw(&canvas, letters, 0, 0, "T", black);
	assert_true(ink((struct place){0, 0, 12, half}) > ink((struct place){0, half, 12, half}));
	canvas = paper();
	text_draw(&canvas, letters, 0, 0, "L", black);
	assert_true(ink((struct place){0, 0, 12, half}) < ink((struct place){0, half, 12, half}));
	assert_true(text_width(letters, "iiii") < text_width(letters, "MMMM"));
}

static void other_characters_are_one_question_mark_each(void **state) {
	(void)state;
	const struct glyph_set *letters = text_letters(12);
	const int width = text_width(letters, "a?b");
	static const char *const texts[] = {"a\xc3\xa4"
					    "b",
		"a\xe2\x82\xac"
		"b",
		"a\xff"
		"b",
		"a\nb"};
	struct canvas canvas = paper();
	text_draw(&canvas, letters, 0, 0, "a?b", black);
	unsigned char wanted[HEIGHT][WIDTH][4];
	memcpy(wanted, pixels, sizeof pixels);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(text_width(letters, texts[i]), width);
		canvas = paper();
		text_draw(&canvas, letters, 0, 0, texts[i], black);
		assert_memory_equal(pixels, wanted, sizeof pixels);
	}
}

static void letters_are_as_large_as_there_is_room(void **state) {
	(void)state;
	static const int rows[][2] = {{0, 12}, {12, 12}, {15, 12}, {16, 16}, {30, 24}, {999, 36}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(text_letters(rows[i][0])->em, rows[i][1]);
	}
}

static double linear(unsigned char byte) {
	const double x = byte / 255.0;
	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/* CIE L* of a colour: Y of the sRGB primaries, then the cube root law (CIE 15). */
static double lightness(double share) {
	unsigned char rgb[3];
	heat_color(share, rgb);
	const double y =
		0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
	return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static void more_heat_is_lighter_in_even_steps(void **state) {
	(void)state;
	enum { STEPS = 16 };
	const double first = lightness(0), all = lightness(1) - first;
	assert_near(first, 29, 1);
	assert_near(all, 64, 1);
	// Another colour space than the scale's own, so that the steps are a tenth more or less.
	for (int i = 0; i < STEPS; i++) {
		const double step = lightness((i + 1.0) / STEPS) - lightness((double)i / STEPS);
		assert_near(step * STEPS / all, 1, 0.15);
	}
}

static void texts_without_letters_are_known(void **state) {
	(void)state;
	assert_true(text_has_letters(""));
	assert_true(text_has_letters("mixamorig:LeftHand_01 ~"));
	assert_false(text_has_letters("Kopf \xc3\xa4"));
	assert_false(text_has_letters("\xe5\xb7\xa6\xe6\x89\x8b"));
	assert_false(text_has_letters("a\tb"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_without_letters_are_known),
		cmocka_unit_test(places_are_cut_at_the_edges),
		cmocka_unit_test(copies_keep_rows_and_alpha),
		cmocka_unit_test(text_stays_in_its_line_and_width),
		cmocka_unit_test(text_keeps_its_colour_over_nothing),
		cmocka_unit_test(letters_look_like_themselves),
		cmocka_unit_test(other_characters_are_one_question_mark_each),
		cmocka_unit_test(letters_are_as_large_as_there_is_room),
		cmocka_unit_test(more_heat_is_lighter_in_even_steps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
