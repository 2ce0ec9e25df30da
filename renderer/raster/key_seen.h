/* The part of the key light that fragments see: kernels, line by line those of
 * shaders/include/key.glsl. */
#pragma once

#include <string.h>

#include "raster/at_fragments.h"
#include "raster/key_maps.h"

/* What the depths of a surface and of its map may differ by for their rounding. */
#define KEY_ROUNDING 2e-5F
/* A sum of cosines below which a surface counts as turned away. */
#define KEY_LEAST_SHARE 1e-3F

struct key_seen {
	lanes light; // by cosines: that radiance 1 would have a white surface give back
	lanes share; // of what its cosines would let through
	lanes mean;  // of all small lights
};

KERNEL lanes key_row(const float *row, struct lanes3 p) {
	return ((row[0] * p.x + row[1] * p.y) + row[2] * p.z) + row[3];
}

/* Depths of a map at texels that lie on it. */
KERNEL lanes key_depths(const struct raster_key *key, int map, lane_mask x, lane_mask y) {
	const lane_mask at = y * key->side + x;
	const float *depths = key->depths + (size_t)map * (size_t)key->side * (size_t)key->side;
	int32_t index[LANE_COUNT];
	float found[LANE_COUNT];
	memcpy(index, &at, sizeof at);
	for (int j = 0; j < LANE_COUNT; j++) {
		found[j] = depths[index[j]];
	}
	return lanes_load(found);
}

/* 1 where a small light is seen, else 0. Around what casts maps are empty. */
KERNEL lanes key_visible(const struct raster_key *key, int i, struct lanes3 at) {
	const struct key_map *map = &key->block.maps[i];
	const lanes one = 1 + (lanes){0}, side = (float)key->side + (lanes){0};
	const lanes per_w = 1 / lanes_greater(key_row(map->w, at), 1e-30F + (lanes){0});
	const lanes scale = per_w * side;
	const lanes across = key_row(map->across, at) * scale, up = key_row(map->up, at) * scale;
	const lane_mask inside = (across >= 0) & (across < side) & (up >= 0) & (up < side);
	if (lanes_signs(inside) == 0) {
		return one;
	}
	const lanes depth = key_row(map->depth, at) * per_w - KEY_ROUNDING;
	const lanes nearest =
		key_depths(key, i, __builtin_convertvector(across, lane_mask) & inside,
			__builtin_convertvector(up, lane_mask) & inside);
	return lanes_select(inside & (lanes_less(depth, one) > nearest), (lanes){0}, one);
}

/* Of a surface with this normal, which lights count by, and that of its shape. All is in the axes
 * of the light. */
KERNEL struct key_seen key_seen(const struct raster_key *key, struct lanes3 to_origin,
	struct lanes3 n, struct lanes3 shape) {
	const float *numbers = key->block.numbers;
	const lanes none = {0};
	// All maps of a light at a place are as far away.
	const lanes w = lanes_greater(key_row(key->block.maps[0].w, to_origin), none);
	const lanes lift = numbers[0] + numbers[1] * w;
	const struct lanes3 at = lanes3_subtract(to_origin, lanes3_scale(shape, lift));
	lanes seen = none, all = none, mean = none;
	for (int i = 0; i < KEY_MAPS; i++) {
		const float *direction = key->block.maps[i].direction;
		const lanes visible = key_visible(key, i, at);
		const lanes cosine =
			lanes_greater(lanes3_dot(broadcast3(direction), n), none) * direction[3];
		seen += cosine * visible;
		all += cosine;
		mean += direction[3] * visible;
	}
	return (struct key_seen){
		.light = seen * key->block.color[3],
		.share = seen / (all + KEY_LEAST_SHARE),
		.mean = mean,
	};
}
