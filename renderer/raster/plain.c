// Surfaces in their base colours.
#include "raster/plain.h"

#include <string.h>

void raster_plain_begin(struct raster_plain *plain, const struct raster_scene *scene,
	const struct material *material, const struct raster_texture *texture, bool unlit) {
	const struct texture_slot *slot = &material->textures[TEXTURE_BASE_COLOR];
	const float strength = material->unlit ? 0 : material->emissive_strength;
	*plain = (struct raster_plain){
		.scene = scene,
		.colors = PLAIN_COLORS,
		.hole = material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0,
		.least = material->alpha_mode == ALPHA_BLEND ? 0 : 1,
		.lit = !material->unlit && !unlit,
		.map = {.texture = texture, .moved = texture_slot_transforms(slot)},
	};
	texture_slot_rows(slot, plain->map.rows);
	memcpy(plain->base_color, material->base_color, sizeof plain->base_color);
	for (int k = 0; k < 3; k++) {
		plain->emissive[k] = material->emissive[k] * strength;
	}
}
