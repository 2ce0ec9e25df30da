// Pixels of a tile -> bytes.
#include "raster/tiles.h"

#include "raster/pixels.h"

/* The mean of a pixel's samples, summed in pairs: of equal ones it is exact. */
KERNEL floats4 mean_of(const float (*colors)[4], int samples) {
	floats4 sums[RASTER_SAMPLES];
	for (int s = 0; s < samples; s++) {
		sums[s] = load4(colors[s]);
	}
	for (int width = samples / 2; width > 0; width /= 2) {
		for (int s = 0; s < width; s++) {
			sums[s] = sums[2 * s] + sums[2 * s + 1];
		}
	}
	return sums[0] * (1.0f / (float)samples);
}

KERNEL floats4 mean_at(const struct raster_tile *tile, int pixel) {
	const float(*colors)[4] = tile->colors + (size_t)pixel * (size_t)tile->samples;
	// Most pictures have four; a constant has the loops unrolled.
	return tile->samples == 4 ? mean_of(colors, 4) : mean_of(colors, tile->samples);
}

#define ALL_PIXELS ((1u << BLOCK_PIXELS) - 1)

/* A bit for each pixel of a block that is in a state. */
KERNEL unsigned pixels_in(const struct raster_tile *tile, int block, enum pixel_state state) {
	const uint8_t *states = tile->states + block * BLOCK_PIXELS;
#ifdef __SSE2__
	const __m128i all = _mm_loadl_epi64((const __m128i *)(const void *)states);
	const __m128i same = _mm_cmpeq_epi8(all, _mm_set1_epi8((char)state));
	return (unsigned)_mm_movemask_epi8(same) & ALL_PIXELS;
#else
	unsigned bits = 0;
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		bits |= (unsigned)(states[i] == state) << i;
	}
	return bits;
#endif
}

/* Pixels that wait for their bytes: as many are made at once as there are lanes. */
struct waiting {
	int count;
	int pixels[LANE_COUNT];
	float colors[LANE_COUNT][4];
};

KERNEL void encode_waiting(
	const struct raster_tile *tile, enum raster_encoding encoding, struct waiting *waiting) {
	const lane_mask pixels = pixels_of(lanes_load4(waiting->colors[0], 4), encoding);
	uint32_t bytes[LANE_COUNT];
	memcpy(bytes, &pixels, sizeof bytes);
	for (int i = 0; i < waiting->count; i++) {
		tile->encoded[waiting->pixels[i]] = bytes[i];
	}
	waiting->count = 0;
}

KERNEL void add_waiting(const struct raster_tile *tile, enum raster_encoding encoding, int pixel,
	floats4 color, struct waiting *waiting) {
	waiting->pixels[waiting->count] = pixel;
	store4(color, waiting->colors[waiting->count++]);
	if (waiting->count == LANE_COUNT) {
		encode_waiting(tile, encoding, waiting);
	}
}

/* Finds the bytes of those pixels of a coloured block that have none yet. */
KERNEL void finish_block(const struct raster_tile *tile, int block, enum raster_encoding encoding,
	uint32_t background, struct waiting *waiting) {
	const unsigned left = ALL_PIXELS & ~pixels_in(tile, block, PIXEL_ENCODED);
	if (left == 0) {
		return;
	}
	for (unsigned rest = left & pixels_in(tile, block, PIXEL_BACKGROUND); rest;
		rest &= rest - 1) {
		tile->encoded[block * BLOCK_PIXELS + __builtin_ctz(rest)] = background;
	}
	for (unsigned rest = left & pixels_in(tile, block, PIXEL_SAMPLES); rest; rest &= rest - 1) {
		const int pixel = block * BLOCK_PIXELS + __builtin_ctz(rest);
		add_waiting(tile, encoding, pixel, mean_at(tile, pixel), waiting);
	}
	for (unsigned rest = left & pixels_in(tile, block, PIXEL_WHOLE); rest; rest &= rest - 1) {
		const int pixel = block * BLOCK_PIXELS + __builtin_ctz(rest);
		add_waiting(tile, encoding, pixel, load4(tile->whole[pixel]), waiting);
	}
}

/* Finds all bytes of a tile's coloured blocks. */
KERNEL void finish_blocks(
	const struct raster_tile *tile, enum raster_encoding encoding, uint32_t background) {
	const int blocks = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT << tile->column_shift;
	struct waiting waiting = {.count = 0, .colors = {{0}}};
	for (int block = 0; block < blocks; block++) {
		if (tile->blocks[block] & BLOCK_COLORED) {
			finish_block(tile, block, encoding, background, &waiting);
		}
	}
	encode_waiting(tile, encoding, &waiting);
}

/* Writes those pixels of a block that lie in the area; the block's first is at x, y. */
KERNEL void write_pixels(const uint32_t pixels[static BLOCK_PIXELS], int x, int y,
	const struct raster_area *area, unsigned char *rgba) {
	for (int row = 0; row < BLOCK_HEIGHT; row++) {
		const int down = y + row - area->y, right = x - area->x;
		if (down < 0 || down >= area->height) {
			continue;
		}
		unsigned char *to = rgba + ((size_t)down * (size_t)area->width) * 4;
		if (right >= 0 && right + BLOCK_WIDTH <= area->width) {
			memcpy(to + right * 4, pixels + row * BLOCK_WIDTH, 4 * BLOCK_WIDTH);
			continue;
		}
		for (int i = 0; i < BLOCK_WIDTH; i++) {
			if (right + i >= 0 && right + i < area->width) {
				memcpy(to + (right + i) * 4, pixels + row * BLOCK_WIDTH + i, 4);
			}
		}
	}
}

/* True when all blocks of a tile lie in the area. */
KERNEL bool is_inside(const struct raster_tile *tile, const struct raster_area *area) {
	const int width = (tile->width + BLOCK_WIDTH - 1) / BLOCK_WIDTH * BLOCK_WIDTH;
	const int height = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT * BLOCK_HEIGHT;
	return tile->x >= area->x && tile->x + width <= area->x + area->width &&
		tile->y >= area->y && tile->y + height <= area->y + area->height;
}

/* Writes all pixels of a block that lies in the area. */
KERNEL void write_inside(const uint32_t pixels[static BLOCK_PIXELS], int x, int y,
	const struct raster_area *area, unsigned char *rgba) {
	const size_t stride = (size_t)area->width * 4;
	unsigned char *to = rgba + (size_t)(y - area->y) * stride + (size_t)(x - area->x) * 4;
	memcpy(to, pixels, 4 * BLOCK_WIDTH);
	memcpy(to + stride, pixels + BLOCK_WIDTH, 4 * BLOCK_WIDTH);
}

KERNEL uint32_t background_of(const struct raster_tile *tile, enum raster_encoding encoding) {
	float colors[LANE_COUNT][4];
	for (int i = 0; i < LANE_COUNT; i++) {
		memcpy(colors[i], tile->background, sizeof tile->background);
	}
	return (uint32_t)pixels_of(lanes_load4(colors[0], 4), encoding)[0];
}

LANES_TARGET void LANES_NAME(raster_resolve)(const struct raster_tile *tile,
	enum raster_encoding encoding, const struct raster_area *area, unsigned char *rgba) {
	const bool inside = is_inside(tile, area);
	uint32_t background[BLOCK_PIXELS];
	background[0] = background_of(tile, encoding);
	for (int i = 1; i < BLOCK_PIXELS; i++) {
		background[i] = background[0];
	}
	finish_blocks(tile, encoding, background[0]);
	for (int y = 0; y < tile->height; y += BLOCK_HEIGHT) {
		for (int x = 0; x < tile->width; x += BLOCK_WIDTH) {
			const int block =
				(y / BLOCK_HEIGHT << tile->column_shift) + x / BLOCK_WIDTH;
			const uint32_t *from = tile->blocks[block] & BLOCK_COLORED
				? tile->encoded + block * BLOCK_PIXELS
				: background;
			if (inside) {
				write_inside(from, tile->x + x, tile->y + y, area, rgba);
			} else {
				write_pixels(from, tile->x + x, tile->y + y, area, rgba);
			}
		}
	}
}
