/* Pictures put together on the CPU: filled rectangles, other pictures, text. Whatever reaches
 * beyond the canvas is cut off. */
#pragma once

#include <stdbool.h>

struct glyph_set;

/* sRGB with straight alpha; first row on top, rows packed. */
struct canvas {
	int width, height;
	unsigned char *rgba; // [height][width][4], borrowed
};

/* A rectangle of pixels; y counts from the top. */
struct place {
	int x, y, width, height;
};

void canvas_fill(struct canvas *canvas, struct place place, const unsigned char rgba[static 4]);

/* Copies a picture of the place's size into it, alpha and all. */
void canvas_copy(struct canvas *canvas, struct place place, const unsigned char *rgba);

/* The greatest letters of at most so many pixels, or the smallest there are. */
const struct glyph_set *text_letters(int em);

/* Pixels from the start of a text to where another would follow. Text is ASCII; each other
 * character is a question mark. */
int text_width(const struct glyph_set *letters, const char *text);

/* True when there are letters for all characters of a text. */
bool text_has_letters(const char *text);

/* Height of a line. */
int text_height(const struct glyph_set *letters);

/* Writes text over whatever there is, also where that is transparent. x and y are the left top
 * corner of its line. */
void text_draw(struct canvas *canvas, const struct glyph_set *letters, int x, int y,
	const char *text, const unsigned char rgb[static 3]);

/* The sRGB colour of a share in [0, 1]. Equal steps of the share are equal steps of lightness to
 * the eye, so that more is always lighter, also to the colour-blind and on grey paper. The path
 * through Oklab is ours. */
void heat_color(double share, unsigned char rgb[static 3]);
