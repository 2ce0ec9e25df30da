// Ordered dithering with any palette.
#include "image/gif_dither.h"

#include <gif_lib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/delayed.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "image/sequence.h"

/* Colours around each that a pixel may be mixed with. With 8 of them, blurred pictures are up to a
 * half farther from the true ones. */
#define NEAR 16

/* Shares of a mix, as the pattern tells them apart. */
#define SHARES 64

/* The cost of a mix's variance against the squared error of its mean. Tuned: mean errors are the
 * same from 0.02 to 0.1, and single pixels are closer with 0.1. */
#define UNEVEN 0.1

/* Pixels of one colour follow one another, and come again nearby. */
#define KEPT 1024

struct mix {
	unsigned char dark, bright; // of the palette
	unsigned char share;        // of the bright one, of SHARES
};

struct kept_mix {
	unsigned color; // of the pixel, plus one; 0 = nothing is kept here
	struct mix mix;
};

struct dither {
	const struct gif_palette *palette;
	unsigned char near[GIF_PALETTE_MAX][NEAR]; // [palette->count], the nearest first
	int near_count[GIF_PALETTE_MAX];           // of them
	struct kept_mix kept[KEPT];
};

static int distance(const unsigned char *a, const unsigned char *b) {
	const int red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
	return red * red + green * green + blue * blue;
}

/* Lists the colours around one, by insertion. */
static void find_near(struct dither *dither, int color) {
	const struct gif_palette *palette = dither->palette;
	unsigned char *near = dither->near[color];
	int distances[NEAR], count = 0;
	for (int i = 0; i < palette->count; i++) {
		const int far = distance(palette->colors[color], palette->colors[i]);
		if (far == 0 || (count == NEAR && far >= distances[NEAR - 1])) {
			continue;
		}
		int at = count < NEAR ? count++ : NEAR - 1;
		for (; at > 0 && distances[at - 1] > far; at--) {
			distances[at] = distances[at - 1];
			near[at] = near[at - 1];
		}
		distances[at] = far;
		near[at] = (unsigned char)i;
	}
	dither->near_count[color] = count;
}

static int nearest(const struct dither *dither, int guess, const unsigned char *pixel) {
	const struct gif_palette *palette = dither->palette;
	int best = guess, least = distance(palette->colors[guess], pixel);
	for (int i = 0; i < dither->near_count[guess]; i++) {
		const int color = dither->near[guess][i];
		const int far = distance(palette->colors[color], pixel);
		best = far < least ? color : best;
		least = far < least ? far : least;
	}
	return best;
}

static int brightness(const unsigned char *color) {
	return 2 * color[0] + 5 * color[1] + color[2];
}

/* In one order wherever the two are mixed: their patterns meet without a seam. */
static struct mix mix_of(const struct gif_palette *palette, int color, int other, double share) {
	const bool brighter =
		brightness(palette->colors[other]) > brightness(palette->colors[color]);
	const int of_other = (int)(share * SHARES + 0.5);
	return brighter
		? (struct mix){(unsigned char)color, (unsigned char)other, (unsigned char)of_other}
		: (struct mix){(unsigned char)other, (unsigned char)color,
			  (unsigned char)(SHARES - of_other)};
}

/* The colours that mean the pixel's when mixed, and are not too far from one another. */
static struct mix find_mix(const struct dither *dither, int guess, const unsigned char *pixel) {
	const struct gif_palette *palette = dither->palette;
	const int color = nearest(dither, guess, pixel);
	const unsigned char *from = palette->colors[color];
	const double error = distance(from, pixel);
	double least = error, share = 0;
	int best = color;
	for (int i = 0; error > 0 && i < dither->near_count[color]; i++) {
		const int other = dither->near[color][i];
		const unsigned char *to = palette->colors[other];
		const double length = distance(from, to);
		const double along = (pixel[0] - from[0]) * (to[0] - from[0]) +
			(pixel[1] - from[1]) * (to[1] - from[1]) +
			(pixel[2] - from[2]) * (to[2] - from[2]);
		const double t = along / length;
		const double cost = error - along * t + UNEVEN * t * (1 - t) * length;
		if (along > 0 && cost < least) {
			least = cost;
			best = other;
			share = t;
		}
	}
	return mix_of(palette, color, best, share);
}

static struct mix mix_for(struct dither *dither, int guess, const unsigned char *pixel) {
	const unsigned color =
		(unsigned)pixel[0] << 16 | (unsigned)pixel[1] << 8 | (unsigned)pixel[2];
	struct kept_mix *kept = &dither->kept[(color * 2654435761u >> 16) % KEPT];
	if (kept->color != color + 1) {
		*kept = (struct kept_mix){color + 1, find_mix(dither, guess, pixel)};
	}
	return kept->mix;
}

/* Bayer's matrix of 8 x 8: the bits of x ^ y and y by turns, the lowest ones foremost. */
static int threshold(int x, int y) {
	const int mixed = x ^ y;
	return (mixed & 1) << 5 | (y & 1) << 4 | (mixed & 2) << 2 | (y & 2) << 1 |
		(mixed & 4) >> 1 | (y & 4) >> 2;
}

void gif_dither(const struct gif_palette *palette, int width, int height, const unsigned char *rgba,
	unsigned char *indices) {
	struct dither dither = {.palette = palette};
	for (int i = 0; i < palette->count; i++) {
		find_near(&dither, i);
	}
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++, rgba += 4, indices++) {
			if (*indices < palette->count) {
				const struct mix mix = mix_for(&dither, *indices, rgba);
				*indices = mix.share > threshold(x, y) ? mix.bright : mix.dark;
			}
		}
	}
}

#define COLORS 256
#define TRANSPARENT 255

/* A frame on its way. */
struct frame {
	size_t pixels;
	unsigned char *memory;    // what the others point into
	unsigned char *planes[3]; // [pixels] of the opaque pixels, packed: red, green, blue
	unsigned char *indices;   // [pixels] of all pixels
	unsigned char *picked;    // [pixels] of the opaque ones, packed
	size_t opaque;            // so many of them
	struct gif_palette palette;
};

static bool begin(struct frame *frame, size_t pixels, struct error *err) {
	*frame = (struct frame){.pixels = pixels};
	frame->memory = try_calloc(pixels, 5, "GIF", err);
	if (frame->memory) {
		for (size_t k = 0; k < 3; k++) {
			frame->planes[k] = frame->memory + k * pixels;
		}
		frame->indices = frame->memory + 3 * pixels;
		frame->picked = frame->memory + 4 * pixels;
	}
	return frame->memory;
}

static void take_opaque(struct frame *frame, const unsigned char *rgba) {
	for (size_t i = 0; i < frame->pixels; i++) {
		if (rgba[i * 4 + 3] >= 128) {
			for (size_t k = 0; k < 3; k++) {
				frame->planes[k][frame->opaque] = rgba[i * 4 + k];
			}
			frame->opaque++;
		}
	}
}

/* giflib tells colours by their five upper bits and calls each group by these alone, which is too
 * dark: each takes the mean of its pixels instead. */
static void settle_colors(struct frame *frame) {
	unsigned long long sums[COLORS][3] = {0}, counts[COLORS] = {0};
	for (size_t i = 0; i < frame->opaque; i++) {
		const unsigned char index = frame->picked[i];
		counts[index]++;
		for (size_t k = 0; k < 3; k++) {
			sums[index][k] += frame->planes[k][i];
		}
	}
	for (int i = 0; i < frame->palette.count; i++) {
		const unsigned long long count = counts[i] ? counts[i] : 1;
		for (size_t k = 0; k < 3; k++) {
			frame->palette.colors[i][k] =
				(unsigned char)((sums[i][k] + count / 2) / count);
		}
	}
}

static bool choose_colors(struct frame *frame, struct error *err) {
	GifColorType colors[COLORS];
	int count = frame->opaque > 0 ? TRANSPARENT : 0;
	if (frame->opaque > 0 &&
		GifQuantizeBuffer((unsigned)frame->opaque, 1, &count, frame->planes[0],
			frame->planes[1], frame->planes[2], frame->picked, colors) != GIF_OK) {
		return error_set(err, ERROR_TOO_LARGE, "GIF: no memory for the palette");
	}
	frame->palette.count = count;
	settle_colors(frame);
	return true;
}

static void spread(struct frame *frame, const unsigned char *rgba) {
	size_t next = 0;
	for (size_t i = 0; i < frame->pixels; i++) {
		frame->indices[i] = rgba[i * 4 + 3] >= 128 ? frame->picked[next++] : TRANSPARENT;
	}
}

static int on_write(GifFileType *gif, const GifByteType *bytes, int count) {
	return buffer_try_append(gif->UserData, bytes, (size_t)count, "GIF", NULL) ? count : 0;
}

/* Each frame is cleared away before the next, so that nothing shows through its transparency. */
static bool put_control(GifFileType *gif, bool whole) {
	const GraphicsControlBlock control = {
		.DisposalMode = whole ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND,
		.TransparentColor = whole ? NO_TRANSPARENT_COLOR : TRANSPARENT,
	};
	GifByteType bytes[4];
	const size_t count = EGifGCBToExtension(&control, bytes);
	return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)count, bytes) == GIF_OK;
}

static bool put_picture(GifFileType *gif, const struct sequence_settings *settings,
	const struct frame *frame, const ColorMapObject *colors) {
	const int width = settings->width, height = settings->height;
	bool ok = EGifPutScreenDesc(gif, width, height, 8, 0, NULL) == GIF_OK &&
		put_control(gif, frame->opaque == frame->pixels) &&
		EGifPutImageDesc(gif, 0, 0, width, height, false, colors) == GIF_OK;
	for (int y = 0; ok && y < height; y++) {
		ok = EGifPutLine(gif, frame->indices + (size_t)y * (size_t)width, width) == GIF_OK;
	}
	return ok;
}

static ColorMapObject *make_map(const struct gif_palette *palette) {
	GifColorType colors[COLORS] = {0};
	for (int i = 0; i < palette->count; i++) {
		const unsigned char *color = palette->colors[i];
		colors[i] = (GifColorType){color[0], color[1], color[2]};
	}
	return GifMakeMapObject(COLORS, colors);
}

static bool write_frame(const struct sequence_settings *settings, const struct frame *frame,
	struct buffer *out, struct error *err) {
	int code = 0, ignored;
	ColorMapObject *colors = make_map(&frame->palette);
	GifFileType *gif = colors ? EGifOpen(out, on_write, &code) : NULL;
	if (gif) {
		EGifSetGifVersion(gif, true);
	}
	const bool ok = gif && put_picture(gif, settings, frame, colors);
	code = gif ? gif->Error : code;
	const bool closed = !gif || EGifCloseFile(gif, ok ? &code : &ignored) == GIF_OK;
	GifFreeMapObject(colors);
	if (ok && closed) {
		return true;
	}
	const char *words = GifErrorString(code);
	const bool memory =
		!colors || code == E_GIF_ERR_NOT_ENOUGH_MEM || code == E_GIF_ERR_WRITE_FAILED;
	return error_set(err, memory ? ERROR_TOO_LARGE : ERROR_INTERNAL, "giflib: %s",
		words ? words : "no memory");
}

bool gif_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *out, struct error *err) {
	struct frame frame;
	if (!delayed_load(&delayed_gif, err) ||
		!begin(&frame, (size_t)settings->width * (size_t)settings->height, err)) {
		return false;
	}
	take_opaque(&frame, rgba);
	bool ok = choose_colors(&frame, err);
	if (ok) {
		spread(&frame, rgba);
		if (!settings->plain_colors) {
			gif_dither(&frame.palette, settings->width, settings->height, rgba,
				frame.indices);
		}
		ok = write_frame(settings, &frame, out, err);
	}
	free(frame.memory);
	return ok;
}

static unsigned char encode(double light) {
	return (unsigned char)lrint(255 * srgb_from_linear(fmin(fmax(light, 0), 1)));
}

void oklab_to_srgb(const struct oklab *c, unsigned char rgb[static 3]) {
	const double l = pow(c->l + 0.3963377774 * c->a + 0.2158037573 * c->b, 3);
	const double m = pow(c->l - 0.1055613458 * c->a - 0.0638541728 * c->b, 3);
	const double s = pow(c->l - 0.0894841775 * c->a - 1.2914855480 * c->b, 3);
	rgb[0] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
	rgb[1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
	rgb[2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}
