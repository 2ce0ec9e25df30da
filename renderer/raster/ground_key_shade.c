// The key light's shadow on the ground: shaders/ground_key.frag.
#include "base/lanes.h"
#include "raster/key_seen.h"
#include "raster/maps.h"

/* The part of the square's half side from which on a shadow that reaches farther fades. */
#define FADE 0.9F

LANES_TARGET void LANES_NAME(ground_key_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct raster_ground_key *ground = context;
	const struct raster_key *key = &ground->key;
	const bool by_cosine = key->block.ground[1] > 0;
	struct raster_attributes a;
	LANES_NAME(attributes_mix)
	(fragments, RASTER_WANTS_POSITION | RASTER_WANTS_SECOND, &a);
	for (int i = 0; i < a.count; i += LANE_COUNT) {
		const lanes none = {0};
		const struct lanes3 away =
			lanes3_subtract(broadcast3(ground->origin), load3(a.position, i));
		const struct lanes3 at = turned(ground->turn, away);
		lanes seen = none;
		float all = 0;
		for (int k = 0; k < KEY_MAPS; k++) {
			const float *direction = key->block.maps[k].direction;
			const float cosine = direction[1] > 0 ? direction[1] : 0;
			const float weight = direction[3] * (by_cosine ? cosine : 1);
			seen += weight * key_visible(key, k, at);
			all += weight;
		}
		const lanes x = lanes_abs(lanes_load(a.places[1].u + i));
		const lanes z = lanes_abs(lanes_load(a.places[1].v + i));
		const lanes edge = lanes_clamp((1 - lanes_greater(x, z)) * (1 / (1 - FADE)), 0, 1);
		const lanes hidden = 1 - seen / (all > 0 ? all : 1);
		lanes_store(none, out->red + i);
		lanes_store(none, out->green + i);
		lanes_store(none, out->blue + i);
		lanes_store(edge * hidden * key->block.ground[0], out->alpha + i);
	}
}
