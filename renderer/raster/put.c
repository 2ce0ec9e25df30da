// Colours of fragments into the pixels of a tile.
#include "raster/tiles.h"

#include "raster/pixels.h"

/* The colours of a pixel's samples, each its own from now on. */
KERNEL float (*expand(struct raster_tile *tile, int pixel, int samples))[4] {
	float(*colors)[4] = tile->colors + (size_t)pixel * (size_t)samples;
	if (tile->states[pixel] != PIXEL_SAMPLES) {
		const floats4 color = load4(
			tile->states[pixel] == PIXEL_WHOLE ? tile->whole[pixel] : tile->background);
		for (int s = 0; s < samples; s++) {
			store4(color, colors[s]);
		}
		tile->states[pixel] = PIXEL_SAMPLES;
	}
	return colors;
}

/* A colour for some samples of a pixel. */
KERNEL void put_samples(
	struct raster_tile *tile, const struct raster_piece *piece, floats4 color, int samples) {
	float(*colors)[4] = expand(tile, piece->pixel, samples);
	for (unsigned rest = piece->mask; rest; rest &= rest - 1) {
		store4(color, colors[__builtin_ctz(rest)]);
	}
}

#if LANE_COUNT == 16
/* The same of four samples, which are one register: no branch hangs on how surfaces are mixed. */
KERNEL void put_four_samples(
	struct raster_tile *tile, const struct raster_piece *piece, floats4 color) {
	float *colors = tile->colors[(size_t)piece->pixel * 4];
	const uint8_t state = tile->states[piece->pixel];
	const float *under = state == PIXEL_WHOLE ? tile->whole[piece->pixel] : tile->background;
	const unsigned mask = piece->mask;
	const unsigned spread = (mask | mask << 3 | mask << 6 | mask << 9) & 0x1111;
	_mm512_mask_storeu_ps(colors, state == PIXEL_SAMPLES ? 0 : UINT16_MAX,
		_mm512_broadcast_f32x4(load4(under)));
	_mm512_mask_storeu_ps(colors, (__mmask16)(spread * 15), _mm512_broadcast_f32x4(color));
	tile->states[piece->pixel] = PIXEL_SAMPLES;
}
#endif

/* A colour for a piece's samples. */
KERNEL void put_piece(
	struct raster_tile *tile, const struct raster_piece *piece, floats4 color, int samples) {
#if LANE_COUNT == 16
	if (samples == 4) {
		put_four_samples(tile, piece, color);
		return;
	}
#endif
	put_samples(tile, piece, color, samples);
}

/* As many pieces as there are lanes, or fewer. */
struct put_group {
	const struct raster_piece *pieces;
	int count;
	struct lanes4 color;
};

/* Bytes of pixels; colours of the samples of those that have several surfaces. */
KERNEL void put_encoded(
	const struct raster_paint *paint, const struct put_group *group, int samples) {
	struct raster_tile *tile = paint->tile;
	const unsigned all = (1u << samples) - 1;
	const lane_mask pixels = pixels_of(group->color, paint->encoding);
	uint32_t bytes[LANE_COUNT];
	unsigned partial = 0;
	memcpy(bytes, &pixels, sizeof pixels);
	for (int k = 0; k < group->count; k++) {
		const struct raster_piece *piece = &group->pieces[k];
		const bool whole = piece->mask == all;
		// Of a pixel that is not whole these are written over, or not looked at.
		tile->encoded[piece->pixel] = bytes[k];
		tile->states[piece->pixel] = whole ? PIXEL_ENCODED : tile->states[piece->pixel];
		partial |= (unsigned)!whole << k;
	}
	if (partial) {
		float colors[LANE_COUNT][4];
		lanes_store4(group->color, colors[0]);
		for (; partial; partial &= partial - 1) {
			const int k = __builtin_ctz(partial);
			put_piece(tile, &group->pieces[k], load4(colors[k]), samples);
		}
	}
}

/* Colours of pixels that something may still come over. */
KERNEL void put_linear(
	const struct raster_paint *paint, const struct put_group *group, int samples) {
	struct raster_tile *tile = paint->tile;
	const unsigned all = (1u << samples) - 1;
	float colors[LANE_COUNT][4];
	lanes_store4(group->color, colors[0]);
	for (int k = 0; k < group->count; k++) {
		const struct raster_piece *piece = &group->pieces[k];
		if (piece->mask == all) {
			store4(load4(colors[k]), tile->whole[piece->pixel]);
			tile->states[piece->pixel] = PIXEL_WHOLE;
		} else {
			put_piece(tile, piece, load4(colors[k]), samples);
		}
	}
}

KERNEL void put(const struct raster_paint *paint, const struct raster_piece *pieces,
	const struct raster_colors *colors, int count, int samples, bool encoded) {
	for (int i = 0; i < count; i += LANE_COUNT) {
		const struct put_group group = {
			.pieces = pieces + i,
			.count = count - i < LANE_COUNT ? count - i : LANE_COUNT,
			.color = {lanes_load(colors->red + i), lanes_load(colors->green + i),
				lanes_load(colors->blue + i), lanes_load(colors->alpha + i)},
		};
		if (encoded) {
			put_encoded(paint, &group, samples);
		} else {
			put_linear(paint, &group, samples);
		}
	}
}

KERNEL void put_any(const struct raster_paint *paint, const struct raster_piece *pieces,
	const struct raster_colors *colors, int count, int samples) {
	if (paint->last) {
		put(paint, pieces, colors, count, samples, true);
	} else {
		put(paint, pieces, colors, count, samples, false);
	}
}

LANES_TARGET void LANES_NAME(raster_put)(const struct raster_paint *paint,
	const struct raster_piece *pieces, const struct raster_colors *colors, int count) {
	switch (paint->tile->samples) {
	case 1:
		put_any(paint, pieces, colors, count, 1);
		break;
	case 4:
		put_any(paint, pieces, colors, count, 4);
		break;
	default:
		put_any(paint, pieces, colors, count, 8);
	}
}

/* Pairs of words, a pair for each lane: the first and the second ones. */
KERNEL void load_pieces(const struct raster_piece *pieces, lane_mask *number, lane_mask *rest) {
	lane_mask a, b;
	memcpy(&a, pieces, sizeof a);
	memcpy(&b, pieces + LANE_COUNT / 2, sizeof b);
#if LANE_COUNT == 16
	*number = __builtin_shufflevector(
		a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	*rest = __builtin_shufflevector(
		a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#elif LANE_COUNT == 8
	*number = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
	*rest = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#else
	*number = __builtin_shufflevector(a, b, 0, 2, 4, 6);
	*rest = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#endif
}

KERNEL void store_integers(lane_mask a, void *out) {
	memcpy(out, &a, sizeof a);
}

/* The places of samples' means in their pixels; built in a register, since a load waits for stores
 * of its parts. */
KERNEL lane_mask middles_of(
	const struct raster_middles *middles, const struct raster_piece *pieces, lane_mask masks) {
	const int32_t *of = middles->of;
#if LANE_COUNT == 16
	(void)pieces;
	return (lane_mask)_mm512_i32gather_epi32((__m512i)masks, of, 4);
#elif LANE_COUNT == 8
	(void)masks;
	return (lane_mask){of[pieces[0].mask], of[pieces[1].mask], of[pieces[2].mask],
		of[pieces[3].mask], of[pieces[4].mask], of[pieces[5].mask], of[pieces[6].mask],
		of[pieces[7].mask]};
#else
	(void)masks;
	return (lane_mask){
		of[pieces[0].mask], of[pieces[1].mask], of[pieces[2].mask], of[pieces[3].mask]};
#endif
}

LANES_TARGET void LANES_NAME(raster_place)(const struct raster_tile *tile,
	const struct raster_middles *middles, const struct raster_piece *pieces, int count,
	uint32_t first, struct raster_fragments *out) {
	const int columns = (1 << tile->column_shift) - 1;
	struct raster_piece end[LANE_COUNT];
	out->count = count;
	for (int i = 0; i < count; i += LANE_COUNT) {
		const struct raster_piece *from = pieces + i;
		if (i + LANE_COUNT > count) {
			for (int k = 0; k < LANE_COUNT; k++) {
				end[k] = pieces[i + k < count ? i + k : count - 1];
			}
			from = end;
		}
		lane_mask number, rest;
		load_pieces(from, &number, &rest);
		const lane_mask pixel = rest & UINT16_MAX,
				middle = middles_of(middles, from, rest >> 16 & UINT8_MAX);
		const lane_mask block = pixel >> 3;
		const lane_mask x = tile->x + (block & columns) * BLOCK_WIDTH + (pixel & 3);
		const lane_mask y =
			tile->y + (block >> tile->column_shift) * BLOCK_HEIGHT + (pixel >> 2 & 1);
		store_integers(number - (int32_t)first, out->triangle + i);
		store_integers(x * RASTER_PIXEL + (middle & UINT16_MAX), out->x + i);
		store_integers(y * RASTER_PIXEL + (middle >> 16), out->y + i);
	}
	for (int i = 0; i < count; i++) {
		__builtin_prefetch(&out->mesh->triangles[out->triangle[i]]);
	}
}

#ifndef LANES_AVX2
/* States of a block's pixels count only once it is coloured. */
static void begin_pixel(struct raster_tile *tile, int pixel) {
	const int block = pixel / BLOCK_PIXELS;
	if (!(tile->blocks[block] & BLOCK_COLORED)) {
		memset(tile->states + block * BLOCK_PIXELS, PIXEL_BACKGROUND, BLOCK_PIXELS);
		tile->blocks[block] |= BLOCK_COLORED;
	}
}

/* Alpha of 1 replaces, whatever there is. */
static void blend_over(float there[static 4], const float color[static 4]) {
	const float rest = 1.0f - color[3];
	for (int i = 0; i < 4; i++) {
		there[i] = rest == 0 ? color[i] : color[i] + rest * there[i];
	}
}

void raster_blend(struct raster_tile *tile, int pixel, unsigned mask, const float color[static 4]) {
	const unsigned all = (1u << tile->samples) - 1;
	begin_pixel(tile, pixel);
	if (mask == all && tile->states[pixel] != PIXEL_SAMPLES) {
		if (tile->states[pixel] == PIXEL_BACKGROUND) {
			memcpy(tile->whole[pixel], tile->background, sizeof tile->background);
			tile->states[pixel] = PIXEL_WHOLE;
		}
		blend_over(tile->whole[pixel], color);
		return;
	}
	float(*colors)[4] = expand(tile, pixel, tile->samples);
	for (unsigned rest = mask; rest; rest &= rest - 1) {
		blend_over(colors[__builtin_ctz(rest)], color);
	}
}
#endif
