/* Kernels for base colours and their holes, by shaders/include/surface.glsl. */
#pragma once

#include "raster/at_fragments.h"
#include "raster/plain.h"

struct based_batch {
	struct raster_attributes attributes;
	float looked_up[RASTER_QUEUE][4];
};

KERNEL void begin_based(const struct raster_plain *plain, const struct raster_fragments *fragments,
	unsigned wants, struct based_batch *batch) {
	const bool colors = fragments->mesh->colors;
	LANES_NAME(attributes_mix)
	(fragments, wants | (colors ? RASTER_WANTS_COLOR : 0U), &batch->attributes);
	const struct raster_places *places = &batch->attributes.places[0];
	const int count = batch->attributes.count;
	struct raster_places moved;
	if (plain->map.texture && plain->map.moved) {
		LANES_NAME(texture_transform)(plain->map.rows, places, count, &moved);
		places = &moved;
	}
	if (plain->map.texture) {
		LANES_NAME(texture_sample)(plain->map.texture, places, count, batch->looked_up);
	}
}

KERNEL struct lanes4 texture_of(
	const struct raster_plain *plain, const struct based_batch *batch, int i) {
	const lanes one = 1 + (lanes){0};
	return plain->map.texture ? lanes_load4(batch->looked_up[i], 4)
				  : (struct lanes4){one, one, one, one};
}

KERNEL struct lanes4 surface_base(const struct raster_plain *plain, const struct raster_mesh *mesh,
	const struct based_batch *batch, int i) {
	struct lanes4 base = texture_of(plain, batch, i);
	base.x *= plain->base_color[0];
	base.y *= plain->base_color[1];
	base.z *= plain->base_color[2];
	base.w *= plain->base_color[3];
	if (mesh->colors && plain->colors == PLAIN_COLORS) {
		base.x *= lanes_load(batch->attributes.color[0] + i);
		base.y *= lanes_load(batch->attributes.color[1] + i);
		base.z *= lanes_load(batch->attributes.color[2] + i);
	}
	if (mesh->colors) {
		base.w *= lanes_load(batch->attributes.color[3] + i);
	}
	return base;
}

KERNEL void mask_based(const struct raster_plain *plain, const struct raster_fragments *fragments,
	bool solid[static RASTER_QUEUE]) {
	struct based_batch batch;
	begin_based(plain, fragments, 0, &batch);
	for (int i = 0; i < batch.attributes.count; i += LANE_COUNT) {
		const struct lanes4 base = surface_base(plain, fragments->mesh, &batch, i);
		const lane_mask hole = base.w < plain->hole;
		for (int j = 0; j < LANE_COUNT; j++) {
			solid[i + j] = !hole[j];
		}
	}
}
