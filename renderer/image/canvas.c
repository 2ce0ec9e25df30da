// Pictures put together on the CPU.
#include "image/canvas.h"

#include <string.h>

#include "base/utf8.h"
#include "image/gif_dither.h"
#include "image/glyphs.h"

static int clamp(int x, int least, int most) {
	return x < least ? least : x > most ? most : x;
}

/* The part of a place that is on the canvas. */
static struct place cut(const struct canvas *canvas, struct place place) {
	const int x = clamp(place.x, 0, canvas->width), y = clamp(place.y, 0, canvas->height);
	const int right = clamp(place.x + place.width, x, canvas->width);
	const int bottom = clamp(place.y + place.height, y, canvas->height);
	return (struct place){x, y, right - x, bottom - y};
}

static unsigned char *pixel_at(const struct canvas *canvas, int x, int y) {
	return canvas->rgba + ((size_t)y * (size_t)canvas->width + (size_t)x) * 4;
}

void canvas_fill(struct canvas *canvas, struct place place, const unsigned char rgba[static 4]) {
	const struct place part = cut(canvas, place);
	for (int y = part.y; y < part.y + part.height; y++) {
		for (int x = part.x; x < part.x + part.width; x++) {
			memcpy(pixel_at(canvas, x, y), rgba, 4);
		}
	}
}

void canvas_copy(struct canvas *canvas, struct place place, const unsigned char *rgba) {
	const struct place part = cut(canvas, place);
	for (int y = part.y; y < part.y + part.height; y++) {
		const size_t row = (size_t)(y - place.y) * (size_t)place.width;
		const unsigned char *from = rgba + (row + (size_t)(part.x - place.x)) * 4;
		memcpy(pixel_at(canvas, part.x, y), from, (size_t)part.width * 4);
	}
}

const struct glyph_set *text_letters(int em) {
	int i = GLYPH_SETS - 1;
	while (i > 0 && glyph_sets[i].em > em) {
		i--;
	}
	return &glyph_sets[i];
}

/* Takes the first character off a text. */
static const struct glyph *take_glyph(const struct glyph_set *letters, const char **text) {
	const char letter = **text;
	const size_t bytes = utf8_character_bytes(*text, strlen(*text));
	*text += bytes ? bytes : 1;
	const bool known = letter >= GLYPH_FIRST && letter <= GLYPH_LAST;
	return &letters->glyphs[(known ? letter : '?') - GLYPH_FIRST];
}

int text_width(const struct glyph_set *letters, const char *text) {
	int width = 0;
	while (*text) {
		width += take_glyph(letters, &text)->advance;
	}
	return width;
}

bool text_has_letters(const char *text) {
	while (*text >= GLYPH_FIRST && *text <= GLYPH_LAST) {
		text++;
	}
	return *text == '\0';
}

int text_height(const struct glyph_set *letters) {
	return letters->ascent + letters->descent;
}

static unsigned char mix(unsigned char under, unsigned char over, unsigned coverage) {
	return (unsigned char)((under * (255 - coverage) + over * coverage + 127) / 255);
}

/* Straight alpha: what is under a colour counts by how much of it there is. */
static void lay_over(
	unsigned char pixel[static 4], const unsigned char rgb[static 3], unsigned coverage) {
	const unsigned alpha = mix(pixel[3], 255, coverage);
	if (alpha == 0) {
		return;
	}
	const unsigned share = (coverage * 255 + alpha / 2) / alpha;
	for (int i = 0; i < 3; i++) {
		pixel[i] = mix(pixel[i], rgb[i], share);
	}
	pixel[3] = (unsigned char)alpha;
}

/* x, y: where the pen is on the baseline. */
static void draw_glyph(struct canvas *canvas, const struct glyph_set *letters,
	const struct glyph *glyph, int x, int y, const unsigned char rgb[static 3]) {
	const struct place place = {x + glyph->left, y - glyph->top, glyph->width, glyph->height};
	const struct place part = cut(canvas, place);
	for (int row = part.y; row < part.y + part.height; row++) {
		for (int column = part.x; column < part.x + part.width; column++) {
			const int at = (row - place.y) * place.width + column - place.x;
			const unsigned coverage = letters->coverage[glyph->offset + (unsigned)at];
			lay_over(pixel_at(canvas, column, row), rgb, coverage);
		}
	}
}

void text_draw(struct canvas *canvas, const struct glyph_set *letters, int x, int y,
	const char *text, const unsigned char rgb[static 3]) {
	while (*text) {
		const struct glyph *glyph = take_glyph(letters, &text);
		draw_glyph(canvas, letters, glyph, x, y + letters->ascent, rgb);
		x += glyph->advance;
	}
}

/* Lightness grows evenly; a and b go along a quadratic Bezier curve that stays within sRGB. */
static struct oklab path(double t) {
	static const struct oklab start = {0.40, 0.03, -0.13}, pull = {0, -0.19, -0.06},
				  end = {0.93, -0.035, 0.155};
	const double u = (1 - t) * (1 - t), v = 2 * t * (1 - t), w = t * t;
	return (struct oklab){
		.l = start.l + (end.l - start.l) * t,
		.a = u * start.a + v * pull.a + w * end.a,
		.b = u * start.b + v * pull.b + w * end.b,
	};
}

void heat_color(double share, unsigned char rgb[static 3]) {
	const struct oklab color = path(share);
	oklab_to_srgb(&color, rgb);
}
