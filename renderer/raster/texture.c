// Levels of textures, of 16 bits a channel.
#include "raster/texture.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "raster/tables.h"

/* A level without its border. */
struct level {
	int width, height;
	size_t stride; // numbers from row to row
	uint16_t *texels;
};

static int halved(int side) {
	return side > 1 ? side / 2 : 1;
}

static size_t level_texels(int width, int height) {
	return ((size_t)width + 1) * ((size_t)height + 1);
}

/* Room for all levels. */
static size_t count_texels(int width, int height, bool all) {
	size_t sum = level_texels(width, height);
	while (all && (width > 1 || height > 1)) {
		width = halved(width);
		height = halved(height);
		sum += level_texels(width, height);
	}
	return sum;
}

/* A texel is stored as one number: its bytes are looked up one after the other anyway. */
static void decode_row(const unsigned char *rgba, int width, bool encoded, uint16_t *out) {
	for (int x = 0; x < width; x++, rgba += 4, out += 4) {
		uint64_t texel = (uint64_t)(rgba[3] * 257) << 48;
		for (int k = 0; k < 3; k++) {
			const uint64_t number = encoded ? tables_linear[rgba[k]] : rgba[k] * 257U;
			texel |= number << (16 * k);
		}
		memcpy(out, &texel, sizeof texel);
	}
}

static __m128i two_texels(const uint16_t *at) {
	return _mm_loadu_si128((const void *)at);
}

/* (a + b + c + d + 2) / 4 of each number. A mean of two is rounded up, and so is that of two means:
 * one too high where a mean was rounded up and theirs is, too. */
static __m128i mean4(__m128i a, __m128i b, __m128i c, __m128i d) {
	const __m128i ab = _mm_avg_epu16(a, b), cd = _mm_avg_epu16(c, d);
	const __m128i rounded = _mm_or_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d));
	const __m128i twice = _mm_and_si128(rounded, _mm_xor_si128(ab, cd));
	return _mm_sub_epi16(_mm_avg_epu16(ab, cd), _mm_and_si128(twice, _mm_set1_epi16(1)));
}

/* A row of means of 2 x 2 texels, of which these are the left upper ones. */
static void halve_row(const uint16_t *at, size_t right, size_t below, int width, uint16_t *out) {
	int x = 0;
	for (; x + 2 <= width; x += 2, at += 16, out += 8) {
		const __m128i top = two_texels(at), next = two_texels(at + 8);
		const __m128i bottom = two_texels(at + below), last = two_texels(at + below + 8);
		const __m128i mean =
			mean4(_mm_unpacklo_epi64(top, next), _mm_unpackhi_epi64(top, next),
				_mm_unpacklo_epi64(bottom, last), _mm_unpackhi_epi64(bottom, last));
		_mm_storeu_si128((void *)out, mean);
	}
	for (; x < width; x++, at += 8, out += 4) {
		for (size_t k = 0; k < 4; k++) {
			const unsigned sum = (unsigned)at[k] + at[right + k] + at[below + k] +
				at[right + below + k];
			out[k] = (uint16_t)((sum + 2) / 4);
		}
	}
}

/* A row of the next level; an odd last row or column is left out. */
static void halve(const struct level *from, const struct level *to, int y) {
	halve_row(from->texels + (size_t)y * 2 * from->stride, from->width > 1 ? 4 : 0,
		from->height > 1 ? from->stride : 0, to->width,
		to->texels + (size_t)y * to->stride);
}

static void add_border(const struct level *level, const enum wrap wraps[static 2]) {
	const size_t last_column = ((size_t)level->width - 1) * 4;
	const size_t column = wraps[0] == WRAP_REPEAT ? 0 : last_column;
	const size_t row = wraps[1] == WRAP_REPEAT ? 0 : (size_t)level->height - 1;
	for (int y = 0; y < level->height; y++) {
		uint16_t *texels = level->texels + (size_t)y * level->stride;
		memcpy(texels + last_column + 4, texels + column, 4 * sizeof *texels);
	}
	memcpy(level->texels + (size_t)level->height * level->stride,
		level->texels + row * level->stride, level->stride * sizeof *level->texels);
}

static struct level level_at(uint16_t *texels, int width, int height) {
	return (struct level){width, height, ((size_t)width + 1) * 4, texels};
}

static void finish_level(struct raster_texture *texture, const struct level *level) {
	add_border(level, texture->wraps);
	const int32_t start = (int32_t)((level->texels - texture->texels) / 4);
	texture->starts[texture->level_count] = texture->starts[texture->level_count + 1] = start;
	texture->level_count++;
}

/* The level behind this one. */
static struct level level_behind(const struct level *level) {
	uint16_t *texels = level->texels + level_texels(level->width, level->height) * 4;
	return level_at(texels, halved(level->width), halved(level->height));
}

/* The first level, and the second while the rows that it is made of are in the cache. */
static void make_first_levels(const struct image *image, bool encoded, const struct level *first,
	const struct level *second) {
	for (int y = 0; y < first->height; y++) {
		decode_row(image->rgba + (size_t)y * (size_t)first->width * 4, first->width,
			encoded, first->texels + (size_t)y * first->stride);
		const bool complete = y % 2 == 1 || first->height == 1;
		if (second && complete && y / 2 < second->height) {
			halve(first, second, y / 2);
		}
	}
}

static void make_levels(
	struct raster_texture *texture, const struct image *image, bool encoded, bool all) {
	struct level level = level_at(texture->texels, image->width, image->height);
	struct level half = level_behind(&level);
	const bool halves = all && (level.width > 1 || level.height > 1);
	make_first_levels(image, encoded, &level, halves ? &half : NULL);
	finish_level(texture, &level);
	for (bool made = true; all && (level.width > 1 || level.height > 1); made = false) {
		half = level_behind(&level);
		for (int y = 0; !made && y < half.height; y++) {
			halve(&level, &half, y);
		}
		finish_level(texture, &half);
		level = half;
	}
}

static struct raster_texture *create(
	const struct image *image, const struct texture *texture, bool encoded, struct error *err) {
	const bool all = !texture->no_mipmaps;
	const size_t count = count_texels(image->width, image->height, all);
	struct raster_texture *out = xcalloc(1, sizeof *out);
	out->width = (float)image->width;
	out->height = (float)image->height;
	out->wraps[0] = texture->wrap_u;
	out->wraps[1] = texture->wrap_v;
	out->nearest = texture->nearest;
	out->between = encoded || texture->nearest;
	out->bytes = count * 4 * sizeof *out->texels;
	out->texels = try_alloc(count, 4 * sizeof *out->texels, "a texture", err);
	if (!out->texels) {
		free(out);
		return NULL;
	}
	make_levels(out, image, encoded, all);
	return out;
}

struct raster_texture *raster_texture_create(
	const struct image *image, const struct texture *texture, bool encoded, struct error *err) {
	struct image first = *image;
	unsigned char *owned = NULL;
	while (first.width > TEXTURE_SIDE_MAX || first.height > TEXTURE_SIDE_MAX) {
		unsigned char *half =
			mipmap_halve(first.rgba, encoded, &first.width, &first.height);
		free(owned);
		first.rgba = owned = half;
	}
	struct raster_texture *out = create(&first, texture, encoded, err);
	free(owned);
	return out;
}

void raster_texture_destroy(struct raster_texture *texture) {
	if (texture) {
		free(texture->texels);
		free(texture);
	}
}
