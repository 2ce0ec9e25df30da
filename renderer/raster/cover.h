/* Kernels for the samples of a block that a triangle covers. For cover.c and cover_small.c. */
#pragma once

#include "raster/functions.h"
#include "raster/tiles.h"

/* Samples of a block go through registers in the order in which a tile has them: a register holds
 * half of a sample's pixels, all, or those of two samples. */
#define REGISTERS_MOST (RASTER_SAMPLES * BLOCK_PIXELS / LANE_COUNT)

KERNEL int registers_of(int samples) {
	return samples * BLOCK_PIXELS / LANE_COUNT;
}

/* Edge functions are E = a x + b y + c >= 0 inside. Places are counted in units that all samples
 * lie on: eighths of a pixel, sixteenths where there are eight samples. */
KERNEL int units_shift(int samples) {
	return samples == 8 ? 4 : 5; // of a unit in 1/256 pixel
}

struct plane {
	float depth, x, y;  // at the first corner, and its change in 1/256 pixel
	float least, most;  // of all corners
	int32_t at_x, at_y; // the first corner
};

struct range {
	int left, top, right, bottom; // blocks of the picture, inclusive
};

struct registers {
	lane_mask edges[3][REGISTERS_MOST]; // at each sample, less that of the block
	lanes depths[REGISTERS_MOST];
};

/* A block's part of what its samples need. */
struct base {
	int32_t edges[3];
	float depth;
};

/* Finds what is outside, which is negative; false if all is. */
KERNEL bool test_edges(const struct registers *r, const struct base *base, int samples,
	lane_mask outside[static REGISTERS_MOST]) {
	lane_mask all = ~(lane_mask){0};
#pragma GCC unroll 16
	for (int i = 0; i < registers_of(samples); i++) {
		outside[i] = (r->edges[0][i] + base->edges[0]) | (r->edges[1][i] + base->edges[1]) |
			(r->edges[2][i] + base->edges[2]);
		all &= outside[i];
	}
	return !lanes_all(all);
}

KERNEL lanes depth_at(
	const struct registers *r, const struct plane *plane, const struct base *base, int i) {
	const lanes zero = {0}, least = zero + plane->least, most = zero + plane->most;
	return lanes_greater(lanes_less(r->depths[i] + base->depth, most), least);
}

KERNEL void fill_depths(const struct raster_tile *tile, size_t at, int samples) {
	const lanes one = {0};
#pragma GCC unroll 16
	for (int i = 0; i < registers_of(samples); i++) {
		lanes_store(one + 1.0f, tile->depths + at + i * LANE_COUNT);
	}
}

/* Depths and numbers of a block that has none yet. */
KERNEL void begin_block(const struct raster_tile *tile, int block, size_t at, int samples) {
	if (!(tile->blocks[block] & BLOCK_DEEP)) {
		fill_depths(tile, at, samples);
	}
	if (!(tile->blocks[block] & BLOCK_NUMBERED)) {
#pragma GCC unroll 16
		for (int i = 0; i < registers_of(samples); i++) {
			lanes_store(
				(lanes){0}, (float *)(void *)(tile->numbers + at) + i * LANE_COUNT);
		}
	}
	tile->blocks[block] |= BLOCK_DEEP | BLOCK_NUMBERED;
}

/* Writes depths and the number where a block's samples are nearest. late: triangles behind it in
 * the list have been written, and win ties. */
KERNEL void write_block(const struct raster_tile *tile, int block, const struct registers *r,
	const struct plane *plane, const struct base *base, uint32_t number, int samples,
	bool late) {
	// Most of the blocks that are visited have a sample inside: a branch costs more than it
	// saves.
	lane_mask outside[REGISTERS_MOST];
	test_edges(r, base, samples, outside);
	const size_t at = (size_t)block * (size_t)(samples * BLOCK_PIXELS);
	if ((tile->blocks[block] & (BLOCK_DEEP | BLOCK_NUMBERED)) !=
		(BLOCK_DEEP | BLOCK_NUMBERED)) {
		begin_block(tile, block, at, samples);
	}
	const lane_mask own = (lane_mask){0} + (int32_t)number;
#pragma GCC unroll 16
	for (int i = 0; i < registers_of(samples); i++) {
		float *depths = tile->depths + at + i * LANE_COUNT;
		float *numbers = (float *)(void *)(tile->numbers + at + i * LANE_COUNT);
		const lanes old = lanes_load(depths);
		const lanes depth = depth_at(r, plane, base, i);
		const lanes there = lanes_load(numbers);
		const lane_mask nearer = late
			? (depth < old) | ((depth == old) & (own > (lane_mask)there))
			: depth <= old;
		const lane_mask passes = nearer & (outside[i] >= 0);
		lanes_store(lanes_select(passes, depth, old), depths);
		lanes_store(lanes_select(passes, (lanes)own, there), numbers);
	}
}

/* The number of the block in column 0 of the picture and a row of it, were it in the tile. */
KERNEL int block_row(const struct raster_tile *tile, int y) {
	return ((y - tile->y / BLOCK_HEIGHT) << tile->column_shift) - tile->x / BLOCK_WIDTH;
}

/* The blocks of a tile that a triangle may meet; false if there is none. */
KERNEL bool find_range(
	const struct raster_tile *tile, const struct raster_outline *o, struct range *out) {
	const int right = tile->x + tile->width - 1, bottom = tile->y + tile->height - 1;
	const int x0 = o->left > tile->x ? o->left : tile->x;
	const int y0 = o->top > tile->y ? o->top : tile->y;
	const int x1 = o->right < right ? o->right : right;
	const int y1 = o->bottom < bottom ? o->bottom : bottom;
	*out = (struct range){
		x0 / BLOCK_WIDTH, y0 / BLOCK_HEIGHT, x1 / BLOCK_WIDTH, y1 / BLOCK_HEIGHT};
	return x0 <= x1 && y0 <= y1;
}

/* --- Small triangles, as many at a time as there are lanes --- */

struct small_batch {
	int count;
	uint32_t triangles[LANE_COUNT];
	int32_t left[LANE_COUNT], top[LANE_COUNT], right[LANE_COUNT], bottom[LANE_COUNT];
};

/* Writes their depths and numbers, one after the other; late as of write_block(). */
typedef void small_function(const struct raster_cover_job *job, struct small_batch *batch);
small_function LANES_NAME(cover_small_4), LANES_NAME(cover_late_4);
small_function LANES_NAME(cover_small_8), LANES_NAME(cover_late_8);

/* A block of one sample does not fill more than eight lanes. */
#if LANE_COUNT < 16
small_function LANES_NAME(cover_small_1), LANES_NAME(cover_late_1);
#endif
