// Differences of two pictures of one view.
#include "against/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against/flip.h"
#include "against/ssim.h"
#include "against/views.h"
#include "check/percentile.h"

/* Grey behind the figure. */
#define BACKGROUND 128

struct picture_pair picture_pair_create(struct arena *arena) {
	return (struct picture_pair){
		.pixels = {arena_alloc(arena, VIEW_PIXELS, 4), arena_alloc(arena, VIEW_PIXELS, 4)},
		.seen = arena_alloc(arena, VIEW_PIXELS, 1),
		.map = arena_alloc(arena, VIEW_PIXELS, sizeof(double)),
		.list = arena_alloc(arena, VIEW_PIXELS, sizeof(double)),
	};
}

void picture_pair_set(struct picture_pair *pair, int which, const unsigned char *rgba) {
	for (size_t p = 0; p < VIEW_PIXELS; p++) {
		const int alpha = rgba[4 * p + 3];
		const int others = pair->seen[p] & ~(1 << which);
		pair->seen[p] = (unsigned char)(others | (alpha > 0) << which);
		pair->pixels[which][4 * p + 3] = 255;
		for (size_t c = 0; c < 3; c++) {
			pair->pixels[which][4 * p + c] =
				(unsigned char)((rgba[4 * p + c] * alpha +
							BACKGROUND * (255 - alpha) + 127) /
					255);
		}
	}
}

/* The figure's box: columns and rows from low to before high. False where there is none. */
static bool find_box(const unsigned char *seen, int low[static 2], int high[static 2]) {
	low[0] = low[1] = VIEW_SIDE;
	high[0] = high[1] = 0;
	for (int p = 0; p < VIEW_PIXELS; p++) {
		const int at[2] = {p % VIEW_SIDE, p / VIEW_SIDE};
		for (int k = 0; k < 2 && seen[p]; k++) {
			low[k] = at[k] < low[k] ? at[k] : low[k];
			high[k] = at[k] + 1 > high[k] ? at[k] + 1 : high[k];
		}
	}
	return low[0] < high[0];
}

static double greatest_channel(const struct picture_pair *pair) {
	int most = 0;
	for (size_t i = 0; i < VIEW_PIXELS * 4; i++) {
		const int apart = abs(pair->pixels[0][i] - pair->pixels[1][i]);
		most = i % 4 < 3 && apart > most ? apart : most;
	}
	return most / 255.0;
}

/* The mean over the figure's pixels. */
static double mean_ssim(struct picture_pair *pair) {
	const struct flip_picture before = {pair->pixels[0], 4 * VIEW_SIDE};
	const struct flip_picture after = {pair->pixels[1], 4 * VIEW_SIDE};
	double sum = 0;
	int count = 0;
	ssim_compare(&before, &after, VIEW_SIDE, VIEW_SIDE, pair->map);
	for (int p = 0; p < VIEW_PIXELS; p++) {
		if (pair->seen[p] && !isnan(pair->map[p])) {
			sum += pair->map[p];
			count++;
		}
	}
	return count > 0 ? sum / count : 1;
}

/* The mean over the figure's box. With a pixel of what is around it the picture goes on as it
 * does. */
static double mean_flip(struct picture_pair *pair, double *p99) {
	int low[2], high[2];
	int *from = pair->low, *size = pair->size;
	*p99 = 0;
	size[0] = size[1] = 0;
	if (!find_box(pair->seen, low, high)) {
		return 0;
	}
	for (int k = 0; k < 2; k++) {
		from[k] = low[k] > 0 ? low[k] - 1 : 0;
		size[k] = (high[k] < VIEW_SIDE ? high[k] + 1 : VIEW_SIDE) - from[k];
	}
	const size_t first = 4 * ((size_t)from[1] * VIEW_SIDE + (size_t)from[0]);
	const struct flip_picture before = {pair->pixels[0] + first, 4 * VIEW_SIDE};
	const struct flip_picture after = {pair->pixels[1] + first, 4 * VIEW_SIDE};
	double sum = 0;
	int count = 0;
	flip_compare(&before, &after, size[0], size[1], FLIP_PIXELS_PER_DEGREE, pair->map);
	for (int y = low[1]; y < high[1]; y++) {
		for (int x = low[0]; x < high[0]; x++) {
			const double at = pair->map[(y - from[1]) * size[0] + x - from[0]];
			pair->list[count++] = at;
			sum += at;
		}
	}
	*p99 = check_percentile(pair->list, count, 0.99);
	return sum / count;
}

struct picture_difference picture_pair_compare(struct picture_pair *pair) {
	struct picture_difference difference = {.ssim = 1};
	if (memcmp(pair->pixels[0], pair->pixels[1], VIEW_PIXELS * 4) != 0) {
		difference.channel = greatest_channel(pair);
		difference.ssim = mean_ssim(pair);
		difference.flip = mean_flip(pair, &difference.flip_p99);
	}
	return difference;
}

void picture_pair_copy(const struct picture_pair *from, struct picture_pair *to) {
	for (int i = 0; i < 2; i++) {
		memcpy(to->pixels[i], from->pixels[i], VIEW_PIXELS * 4);
		to->low[i] = from->low[i];
		to->size[i] = from->size[i];
	}
	memcpy(to->map, from->map, (size_t)from->size[0] * (size_t)from->size[1] * sizeof *to->map);
}
