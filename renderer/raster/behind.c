// What lies behind surfaces with transmission, and how it is looked up.
#include "raster/behind.h"

#include <string.h>

static int halved(int side) {
	return side > 1 ? side / 2 : 1;
}

size_t raster_behind_texels(int width, int height) {
	size_t sum = (size_t)width * (size_t)height;
	while (width > 1 || height > 1) {
		width = halved(width);
		height = halved(height);
		sum += (size_t)width * (size_t)height;
	}
	return sum;
}

void raster_behind_place(struct raster_behind *behind, int width, int height, float (*texels)[4]) {
	*behind = (struct raster_behind){.width = width, .height = height, .levels = 1};
	behind->texels[0] = texels;
	while (width > 1 || height > 1) {
		texels += (size_t)width * (size_t)height;
		width = halved(width);
		height = halved(height);
		behind->texels[behind->levels++] = texels;
	}
}

static void halve(const float (*from)[4], int width, int height, float (*to)[4]) {
	const size_t right = width > 1 ? 1 : 0, below = height > 1 ? (size_t)width : 0;
	for (int y = 0; y < halved(height); y++) {
		const float(*row)[4] = from + (size_t)y * 2 * (size_t)width;
		for (int x = 0; x < halved(width); x++) {
			const float(*at)[4] = row + (size_t)x * 2;
			for (int k = 0; k < 4; k++) {
				(*to)[k] = ((at[0][k] + at[right][k]) +
						   (at[below][k] + at[below + right][k])) *
					0.25F;
			}
			to++;
		}
	}
}

void raster_behind_make(struct raster_behind *behind) {
	int width = behind->width, height = behind->height;
	for (int level = 1; level < behind->levels; level++) {
		halve((const float(*)[4])behind->texels[level - 1], width, height,
			behind->texels[level]);
		width = halved(width);
		height = halved(height);
	}
}

/* Four texels in a row about a place, and their shares. */
struct spline {
	int at[4];
	float share[4];
};

static struct spline spline_at(float place, int size) {
	const float along = place * (float)size - 0.5F;
	const int whole = (int)(along + 4) - 4; // towards 0 is down, above -4
	const float a = along - (float)whole, b = 1 - a;
	struct spline spline = {
		.share = {b * b * b * (1 / 6.0F), (4 - 3 * a * a * (2 - a)) * (1 / 6.0F),
			(4 - 3 * b * b * (2 - b)) * (1 / 6.0F), a * a * a * (1 / 6.0F)}};
	for (int i = 0; i < 4; i++) {
		const int at = whole - 1 + i;
		spline.at[i] = at < 0 ? 0 : at < size ? at : size - 1;
	}
	return spline;
}

static void level_at(const struct raster_behind *behind, const float place[static 2], int level,
	float out[static 4]) {
	int width = behind->width, height = behind->height;
	for (int i = 0; i < level; i++) {
		width = halved(width);
		height = halved(height);
	}
	const struct spline across = spline_at(place[0], width), down = spline_at(place[1], height);
	memset(out, 0, 4 * sizeof *out);
	for (int y = 0; y < 4; y++) {
		const float(*row)[4] = (const float(*)[4])behind->texels[level] +
			(size_t)down.at[y] * (size_t)width;
		float sum[4] = {0};
		for (int x = 0; x < 4; x++) {
			for (int k = 0; k < 4; k++) {
				sum[k] += across.share[x] * row[across.at[x]][k];
			}
		}
		for (int k = 0; k < 4; k++) {
			out[k] += down.share[y] * sum[k];
		}
	}
}

void raster_behind_at(const struct raster_behind *behind, const float place[static 2], float level,
	float out[static 4]) {
	// Also of no number.
	const float bounded = level > 0 ? level : 0;
	const int last = behind->levels - 1;
	const int first = bounded < (float)last ? (int)bounded : last;
	const float share = bounded < (float)last ? bounded - (float)first : 0;
	const float inside[2] = {
		place[0] > 0 ? (place[0] < 1 ? place[0] : 1) : 0,
		place[1] > 0 ? (place[1] < 1 ? place[1] : 1) : 0,
	};
	level_at(behind, inside, first, out);
	if (share > 0) {
		float next[4];
		level_at(behind, inside, first + 1, next);
		for (int k = 0; k < 4; k++) {
			out[k] = out[k] * (1 - share) + next[k] * share;
		}
	}
}
