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

/* True when all of a block's pixels are in a state. */
KERNEL bool all_are(const struct raster_tile *tile, int block, enum pixel_state state) {
	uint8_t wanted[BLOCK_PIXELS];
	memset(wanted, (int)state, sizeof wanted);
	return memcmp(tile->states + block * BLOCK_PIXELS, wanted, sizeof wanted) == 0;
}

/* The colours of a block's pixels, one after the other. */
KERNEL void load_block(
	const struct raster_tile *tile, int block, float out[static 4 * BLOCK_PIXELS]) {
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		const int pixel = block * BLOCK_PIXELS + i;
		switch ((enum pixel_state)tile->states[pixel]) {
		case PIXEL_BACKGROUND:
			store4(load4(tile->background), out + 4 * i);
			break;
		case PIXEL_WHOLE:
			store4(load4(tile->whole[pixel]), out + 4 * i);
			break;
		case PIXEL_SAMPLES:
			store4(mean_at(tile, pixel), out + 4 * i);
			break;
		case PIXEL_ENCODED:
			store4((floats4){0}, out + 4 * i);
			break;
		}
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
	const uint32_t *encoded = tile->encoded + block * BLOCK_PIXELS;
	if (all_are(tile, block, PIXEL_ENCODED)) {
		memcpy(out, encoded, BLOCK_PIXELS * sizeof *out);
		return;
	}
	if (all_are(tile, block, PIXEL_WHOLE)) {
		encode_block(tile->whole[block * BLOCK_PIXELS], encoding, out);
		return;
	}
	float colors[4 * BLOCK_PIXELS];
	load_block(tile, block, colors);
	encode_block(colors, encoding, out);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		const bool has = tile->states[block * BLOCK_PIXELS + i] == PIXEL_ENCODED;
		out[i] = has ? encoded[i] : out[i];
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

LANES_TARGET void LANES_NAME(raster_resolve)(const struct raster_tile *tile,
	enum raster_encoding encoding, const struct raster_area *area, unsigned char *rgba) {
	float colors[4 * BLOCK_PIXELS];
	uint32_t background[BLOCK_PIXELS], pixels[BLOCK_PIXELS];
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
			write_pixels(colored ? pixels : background, tile->x + x, tile->y + y, area,
				rgba);
		}
	}
}
