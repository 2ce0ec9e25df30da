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

/* The colours of a block's pixels, one after the other. Those that are encoded have any. */
KERNEL void load_block(
	const struct raster_tile *tile, int block, float out[static 4 * BLOCK_PIXELS]) {
	const floats4 background = load4(tile->background);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		store4(background, out + 4 * i);
	}
	for (unsigned rest = pixels_in(tile, block, PIXEL_SAMPLES); rest; rest &= rest - 1) {
		const int i = __builtin_ctz(rest);
		store4(mean_at(tile, block * BLOCK_PIXELS + i), out + 4 * i);
	}
	for (unsigned rest = pixels_in(tile, block, PIXEL_WHOLE); rest; rest &= rest - 1) {
		const int i = __builtin_ctz(rest);
		store4(load4(tile->whole[block * BLOCK_PIXELS + i]), out + 4 * i);
	}
}

KERNEL void encode_block(
	const float *colors, enum raster_encoding encoding, uint32_t out[static BLOCK_PIXELS]) {
	for (int i = 0; i < BLOCK_PIXELS; i += LANE_COUNT) {
		const lane_mask pixels = pixels_of(lanes_load4(colors + i * 4, 4), encoding);
		memcpy(out + i, &pixels, sizeof pixels);
	}
}

/* The pixels of a block that was coloured. */
KERNEL void finish_block(const struct raster_tile *tile, int block, enum raster_encoding encoding,
	uint32_t out[static BLOCK_PIXELS]) {
	const unsigned encoded = pixels_in(tile, block, PIXEL_ENCODED);
	if (encoded != ALL_PIXELS) {
		float colors[4 * BLOCK_PIXELS];
		load_block(tile, block, colors);
		encode_block(colors, encoding, out);
	}
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		out[i] = encoded >> i & 1 ? tile->encoded[block * BLOCK_PIXELS + i] : out[i];
	}
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

LANES_TARGET void LANES_NAME(raster_resolve)(const struct raster_tile *tile,
	enum raster_encoding encoding, const struct raster_area *area, unsigned char *rgba) {
	float colors[4 * BLOCK_PIXELS];
	uint32_t background[BLOCK_PIXELS], pixels[BLOCK_PIXELS];
	const bool inside = is_inside(tile, area);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		memcpy(colors + 4 * i, tile->background, sizeof tile->background);
	}
	encode_block(colors, encoding, background);
	for (int y = 0; y < tile->height; y += BLOCK_HEIGHT) {
		for (int x = 0; x < tile->width; x += BLOCK_WIDTH) {
			const int block =
				(y / BLOCK_HEIGHT << tile->column_shift) + x / BLOCK_WIDTH;
			const bool colored = tile->blocks[block] & BLOCK_COLORED;
			if (colored) {
				finish_block(tile, block, encoding, pixels);
			}
			const uint32_t *from = colored ? pixels : background;
			if (inside) {
				write_inside(from, tile->x + x, tile->y + y, area, rgba);
			} else {
				write_pixels(from, tile->x + x, tile->y + y, area, rgba);
			}
		}
	}
}
