// Ordered dithering with any palette.
#include "image/gif_dither.h"

#include <stdbool.h>

/* Colours around each that a pixel may be mixed with. With 8 of them, blurred pictures are up to a
 * half farther from the true ones. */
#define NEAR 16

/* Shares of a mix, as the pattern tells them apart. */
#define SHARES 64

/* What a mix costs for the variance of its two colours, against the squared error of its mean.
 * Tuned: from 0.02 to 0.1 the mean errors are the same, and with 0.1 pixels are nearer. */
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
	unsigned char near[GIF_PALETTE_MOST][NEAR]; // [palette->count], the nearest first
	int near_count[GIF_PALETTE_MOST];           // of them
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
