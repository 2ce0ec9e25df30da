// Copies of what lies behind surfaces with transmission.
#include "raster/copy.h"

#include <stdlib.h>

#include "base/memory.h"
#include "draw/back_end.h"

struct raster_copy {
	struct raster *raster;
	struct raster_behind behind;
	float (*texels)[4]; // [room]
	size_t room;
};

struct raster_copy *raster_copy_create(void) {
	struct raster_copy *copy = xcalloc(1, sizeof *copy);
	copy->raster = raster_create();
	return copy;
}

void raster_copy_destroy(struct raster_copy *copy) {
	if (copy) {
		raster_destroy(copy->raster);
		free(copy->texels);
		free(copy);
	}
}

static bool make_room(struct raster_copy *copy, size_t texels, struct error *err) {
	if (texels <= copy->room) {
		return true;
	}
	free(copy->texels);
	copy->room = 0;
	copy->texels = try_calloc(texels, sizeof *copy->texels, "a copy of the background", err);
	copy->room = copy->texels ? texels : 0;
	return copy->texels;
}

bool raster_copy_begin(struct raster_copy *copy, const struct raster_target *target, int lanes,
	struct error *err) {
	struct raster_target own = *target;
	while (own.width > DRAW_COPY_SIDE || own.height > DRAW_COPY_SIDE) {
		own.width = own.width > 1 ? own.width / 2 : 1;
		own.height = own.height > 1 ? own.height / 2 : 1;
	}
	own.samples = own.samples > 1 ? 4 : 1;
	if (!make_room(copy, raster_behind_texels(own.width, own.height), err)) {
		return false;
	}
	raster_behind_place(&copy->behind, own.width, own.height, copy->texels);
	if (raster_lanes(copy->raster) != lanes) {
		raster_choose(copy->raster,
			&(struct raster_choice){
				.tile_shift = 6, .queue = RASTER_QUEUE, .lanes = lanes});
	}
	return raster_begin(copy->raster, &own, err);
}

struct raster *raster_copy_raster(struct raster_copy *copy) {
	return copy->raster;
}

void raster_copy_end(struct raster_copy *copy) {
	raster_read_light(copy->raster, copy->texels);
	raster_behind_make(&copy->behind);
}

const struct raster_behind *raster_copy_behind(const struct raster_copy *copy) {
	return &copy->behind;
}
