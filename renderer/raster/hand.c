// The state of a thread that draws tiles.
#include <string.h>

#include "raster/tiles.h"

bool raster_hand_begin(
	struct raster_hand *hand, const struct raster_picture *picture, struct error *err) {
	const struct raster_choice *choice = &picture->choice;
	const int samples = picture->target.samples;
	struct raster_tile *tile = &hand->tile;
	if (!hand->queues) {
		hand->queues = raster_queues_create();
	}
	if (tile->samples == samples && hand->tile_shift == choice->tile_shift) {
		return true;
	}
	struct pool *pool = &hand->pool;
	const size_t pixels = (size_t)1 << 2 * choice->tile_shift;
	const size_t all = pixels * (size_t)samples;
	pool_reset(pool);
	*tile = (struct raster_tile){
		.column_shift = choice->tile_shift - 2,
		.blocks = pool_take(pool, pixels / BLOCK_PIXELS, sizeof *tile->blocks, err),
		.depths = pool_take(pool, all, sizeof *tile->depths, err),
		.farthest = pool_take(pool, pixels / BLOCK_PIXELS, sizeof *tile->farthest, err),
		.numbers = pool_take(pool, all, sizeof *tile->numbers, err),
		.states = pool_take(pool, pixels, sizeof *tile->states, err),
		.whole = pool_take(pool, pixels, sizeof *tile->whole, err),
		.encoded = pool_take(pool, pixels, sizeof *tile->encoded, err),
		.colors = pool_take(pool, all, sizeof *tile->colors, err),
	};
	if (!tile->blocks || !tile->depths || !tile->farthest || !tile->numbers || !tile->states ||
		!tile->whole || !tile->encoded || !tile->colors) {
		return false;
	}
	tile->samples = samples;
	hand->tile_shift = choice->tile_shift;
	return true;
}

void raster_hand_finish(struct raster_hand *hand) {
	raster_queues_destroy(hand->queues);
	pool_finish(&hand->pool);
	*hand = (struct raster_hand){0};
}

static int tiles_along(int size, int shift) {
	return (size + (1 << shift) - 1) >> shift;
}

int raster_tile_columns(const struct raster_picture *picture) {
	return tiles_along(picture->target.width, picture->choice.tile_shift);
}

int raster_tile_rows(const struct raster_picture *picture) {
	return tiles_along(picture->target.height, picture->choice.tile_shift);
}

size_t raster_tile_number(const struct raster_picture *picture, int column, int row) {
	return (size_t)row * (size_t)raster_tile_columns(picture) + (size_t)column;
}

static int least(int a, int b) {
	return a < b ? a : b;
}

void raster_hand_draw(struct raster_hand *hand, const struct raster_picture *picture,
	const struct raster_saved *saved, int column, int row, bool last) {
	const struct raster_target *target = &picture->target;
	const int shift = picture->choice.tile_shift, size = 1 << shift;
	struct raster_tile *tile = &hand->tile;
	memcpy(tile->background, target->background, sizeof tile->background);
	tile->x = column << shift;
	tile->y = row << shift;
	tile->width = least(size, target->width - tile->x);
	tile->height = least(size, target->height - tile->y);
	raster_draw_tile(picture, tile, hand->queues, saved, last);
}
