// Samples with triangles' numbers -> fragments: one for each triangle that a pixel shows.
#include "raster/tiles.h"

#include "base/lanes.h"

#define REGISTERS (BLOCK_PIXELS / LANE_COUNT)

#if LANE_COUNT == 8
#define LANE_NUMBERS ((lane_mask){0, 1, 2, 3, 4, 5, 6, 7})
#else
#define LANE_NUMBERS ((lane_mask){0, 1, 2, 3})
#endif

/* Pieces of a block, and one that is written and not counted. */
#define BLOCK_PIECES (BLOCK_PIXELS * RASTER_SAMPLES + 1)

/* Pixels of a block all of whose samples have one number, and those that have any. */
struct kinds {
	unsigned whole, any;
};

KERNEL lane_mask load_numbers(const uint32_t *numbers, int part) {
	lane_mask loaded;
	memcpy(&loaded, numbers + part * LANE_COUNT, sizeof loaded);
	return loaded;
}

KERNEL struct kinds kinds_of(const uint32_t *numbers, int samples) {
	struct kinds kinds = {0};
	for (int part = 0; part < REGISTERS; part++) {
		const lane_mask first = load_numbers(numbers, part);
		lane_mask same = first != 0, none = first == 0;
		for (int s = 1; s < samples; s++) {
			const lane_mask number = load_numbers(numbers + s * BLOCK_PIXELS, part);
			same &= number == first;
			none &= number == 0;
		}
		kinds.whole |= (unsigned)lanes_signs(same) << part * LANE_COUNT;
		kinds.any |= (unsigned)lanes_signs(~none) << part * LANE_COUNT;
	}
	return kinds;
}

/* Of each sample of a block: the samples of its pixel that it leads, which have its number, in the
 * upper half of a word; and a bit for each pixel where it leads, since none before it has it. */
struct leaders {
	int32_t masks[RASTER_SAMPLES][BLOCK_PIXELS];
	unsigned leads[RASTER_SAMPLES];
};

KERNEL void find_leaders(const uint32_t *numbers, int samples, struct leaders *out) {
	for (int s = 0; s < samples; s++) {
		out->leads[s] = 0;
	}
	for (int part = 0; part < REGISTERS; part++) {
		lane_mask number[RASTER_SAMPLES], led[RASTER_SAMPLES];
#pragma GCC unroll 8
		for (int s = 0; s < samples; s++) {
			number[s] = load_numbers(numbers + s * BLOCK_PIXELS, part);
			led[s] = number[s] == 0;
		}
#pragma GCC unroll 8
		for (int s = 0; s < samples; s++) {
			lane_mask mask = (lane_mask){0} + (65536 << s);
#pragma GCC unroll 8
			for (int k = s + 1; k < samples; k++) {
				const lane_mask same = number[k] == number[s];
				mask |= same & 65536 << k;
				led[k] |= same;
			}
			memcpy(out->masks[s] + part * LANE_COUNT, &mask, sizeof mask);
			out->leads[s] |= (unsigned)lanes_signs(~led[s]) << part * LANE_COUNT;
		}
	}
}

/* Pieces of pixels of several surfaces. Each is written, and then counted or not. */
KERNEL int write_parts(const uint32_t *numbers, int samples, int first_pixel, unsigned pixels,
	struct raster_piece *out) {
	struct leaders leaders;
	int count = 0;
	if (pixels == 0) {
		return 0;
	}
	find_leaders(numbers, samples, &leaders);
	for (; pixels; pixels &= pixels - 1) {
		const int lane = __builtin_ctz(pixels);
#pragma GCC unroll 8
		for (int s = 0; s < samples; s++) {
			const uint32_t rest =
				(uint32_t)(leaders.masks[s][lane] + first_pixel + lane);
			const uint32_t words[2] = {numbers[s * BLOCK_PIXELS + lane], rest};
			memcpy(&out[count], words, sizeof words);
			count += (int)(leaders.leads[s] >> lane & 1);
		}
	}
	return count;
}

/* A piece for each pixel of a block, all of whose pixels have one surface each. */
KERNEL void write_whole(
	const uint32_t *numbers, int samples, int first_pixel, struct raster_piece *out) {
	const lane_mask all = (lane_mask){0} + (int32_t)((1u << samples) - 1) * 65536;
	for (int part = 0; part < REGISTERS; part++) {
		const lane_mask number = load_numbers(numbers, part);
		const lane_mask rest = all + (first_pixel + part * LANE_COUNT) + LANE_NUMBERS;
#if LANE_COUNT == 8
		const lane_mask low =
			__builtin_shufflevector(number, rest, 0, 8, 1, 9, 2, 10, 3, 11);
		const lane_mask high =
			__builtin_shufflevector(number, rest, 4, 12, 5, 13, 6, 14, 7, 15);
#else
		const lane_mask low = __builtin_shufflevector(number, rest, 0, 4, 1, 5);
		const lane_mask high = __builtin_shufflevector(number, rest, 2, 6, 3, 7);
#endif
		memcpy(out + part * LANE_COUNT, &low, sizeof low);
		memcpy(out + part * LANE_COUNT + LANE_COUNT / 2, &high, sizeof high);
	}
}

KERNEL int split_block(const uint32_t *numbers, int samples, int first_pixel, struct kinds kinds,
	struct raster_piece pieces[static BLOCK_PIECES]) {
	const uint8_t all = (uint8_t)((1u << samples) - 1);
	int count = 0;
	if (kinds.whole == (1u << BLOCK_PIXELS) - 1) {
		write_whole(numbers, samples, first_pixel, pieces);
		return BLOCK_PIXELS;
	}
	// Each is written, and then counted or not.
	for (int lane = 0; lane < BLOCK_PIXELS; lane++) {
		pieces[count] =
			(struct raster_piece){numbers[lane], (uint16_t)(first_pixel + lane), all};
		count += (int)(kinds.whole >> lane & 1);
	}
	return count +
		write_parts(
			numbers, samples, first_pixel, kinds.any & ~kinds.whole, pieces + count);
}

/* All that has a surface gets a colour. */
KERNEL void begin_colors(struct raster_tile *tile, int block) {
	if (!(tile->blocks[block] & BLOCK_COLORED)) {
		memset(tile->states + block * BLOCK_PIXELS, PIXEL_BACKGROUND, BLOCK_PIXELS);
		tile->blocks[block] |= BLOCK_COLORED;
	}
}

/* Pieces that are handed on together; and those of one more block. */
#define HANDED 512
#define ROOM (HANDED + BLOCK_PIECES)

KERNEL void split(
	struct raster_tile *tile, raster_piece_function *take, void *context, int samples) {
	const int blocks = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT << tile->column_shift;
	struct raster_piece pieces[ROOM];
	int count = 0;
	for (int block = 0; block < blocks; block++) {
		if (!(tile->blocks[block] & BLOCK_NUMBERED)) {
			continue;
		}
		tile->blocks[block] &= (uint8_t)~BLOCK_NUMBERED;
		const uint32_t *numbers =
			tile->numbers + (size_t)block * (size_t)(samples * BLOCK_PIXELS);
		const struct kinds kinds = kinds_of(numbers, samples);
		if (kinds.any) {
			begin_colors(tile, block);
		}
		count += split_block(numbers, samples, block * BLOCK_PIXELS, kinds, pieces + count);
		if (count >= HANDED) {
			take(context, pieces, count);
			count = 0;
		}
	}
	if (count > 0) {
		take(context, pieces, count);
	}
}

LANES_TARGET void LANES_NAME(raster_split)(
	struct raster_tile *tile, raster_piece_function *take, void *context) {
	switch (tile->samples) {
	case 1:
		split(tile, take, context, 1);
		break;
	case 4:
		split(tile, take, context, 4);
		break;
	default:
		split(tile, take, context, 8);
	}
}
