// Tiles that wait for what is drawn later: what they have, packed.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "raster/tiles.h"

struct raster_saved {
	size_t size;
	unsigned char bytes[];
};

/* Goes through a tile's state in the order in which it is packed. */
struct packing {
	unsigned char *at; // NULL = bytes are counted only
	size_t size;
	bool restores; // from bytes to the tile
};

static void pack(struct packing *packing, void *state, size_t bytes) {
	if (packing->at && packing->restores) {
		memcpy(state, packing->at + packing->size, bytes);
	} else if (packing->at) {
		memcpy(packing->at + packing->size, state, bytes);
	}
	packing->size += bytes;
}

static size_t block_count(const struct raster_tile *tile) {
	const size_t rows = (size_t)(tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT;
	return rows << tile->column_shift;
}

static void pack_colors(struct packing *packing, struct raster_tile *tile, size_t block) {
	const size_t first = block * BLOCK_PIXELS, samples = (size_t)tile->samples;
	pack(packing, tile->states + first, BLOCK_PIXELS * sizeof *tile->states);
	for (size_t i = first; i < first + BLOCK_PIXELS; i++) {
		if (tile->states[i] == PIXEL_WHOLE) {
			pack(packing, tile->whole[i], sizeof tile->whole[i]);
		} else if (tile->states[i] == PIXEL_SAMPLES) {
			pack(packing, tile->colors[i * samples], samples * sizeof *tile->colors);
		}
	}
}

static void pack_tile(struct packing *packing, struct raster_tile *tile) {
	const size_t blocks = block_count(tile), samples = (size_t)tile->samples;
	pack(packing, tile->blocks, blocks * sizeof *tile->blocks);
	for (size_t i = 0; i < blocks; i++) {
		if (tile->blocks[i] & BLOCK_DEEP) {
			pack(packing, tile->depths + i * samples * BLOCK_PIXELS,
				samples * BLOCK_PIXELS * sizeof *tile->depths);
		}
		if (tile->blocks[i] & BLOCK_COLORED) {
			pack_colors(packing, tile, i);
		}
	}
}

struct raster_saved *raster_save(struct raster_tile *tile, struct error *err) {
	struct packing packing = {0};
	pack_tile(&packing, tile);
	struct raster_saved *saved =
		try_calloc(sizeof *saved + packing.size, 1, "a picture's tiles", err);
	if (saved) {
		saved->size = packing.size;
		packing = (struct packing){.at = saved->bytes};
		pack_tile(&packing, tile);
	}
	return saved;
}

void raster_restore(struct raster_tile *tile, const struct raster_saved *saved) {
	struct packing packing = {.at = (unsigned char *)saved->bytes, .restores = true};
	pack_tile(&packing, tile);
}
