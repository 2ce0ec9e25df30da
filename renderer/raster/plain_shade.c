// Base colours under one key light and a soft sky: shaders/include/surface.glsl.
#include "base/lanes.h"
#include "raster/base_color.h"

static const float key_color[3] = {2.05F, 1.97F, 1.85F};
static const float sky_color[3] = {0.60F, 0.66F, 0.76F};
static const float ground_color[3] = {0.30F, 0.27F, 0.25F};

#define SHEEN 0.05F
#define SHOULDER 0.6F
#define LEAST_SQUARE 1e-6F

KERNEL lanes power16(lanes x) {
	const lanes two = x * x, four = two * two, eight = four * four;
	return eight * eight;
}

/* Bends light above SHOULDER so that it reaches 1 only at infinity, keeping hue and slope: white
 * surfaces keep their shape under the key light. */
KERNEL struct lanes3 below_one(struct lanes3 light) {
	const float room = 1 - SHOULDER;
	const lanes peak = lanes3_most(light);
	const lane_mask high = peak > SHOULDER;
	const lanes above = lanes_greater(peak - SHOULDER, (lanes){0});
	const lanes bent = 1 - room * room / (above + room);
	return lanes3_select(high, lanes3_scale(light, bent / peak), light);
}

/* The visible colour of a base colour. */
KERNEL struct lanes3 surface_light(
	const struct raster_plain *plain, struct lanes3 base, struct lanes3 n, struct lanes3 eye) {
	const struct lanes3 to_light = broadcast3(plain->scene->key_direction);
	const struct lanes3 emissive = broadcast3(plain->emissive);
	if (!plain->lit) {
		return lanes3_add(base, emissive);
	}
	const lanes none = {0};
	const lanes to_key = lanes3_dot(n, to_light), to_eye = lanes3_dot(n, eye);
	const struct lanes3 sky =
		lanes3_mix(broadcast3(ground_color), broadcast3(sky_color), 0.5F + 0.5F * n.y);
	const lanes key = lanes_greater(to_key, none);
	// The square of the cosine to the direction half way between key and eye. Two opposite
	// directions have none between them.
	const lanes between = lanes_greater(to_key + to_eye, none);
	const lanes square = lanes_greater(2 + 2 * lanes3_dot(to_light, eye), LEAST_SQUARE + none);
	const lanes gloss = power16((between * between) / square) * key;
	const lanes away = 1 - lanes_greater(to_eye, none), away_square = away * away;
	const lanes rim = away_square * away_square;
	const struct lanes3 arriving =
		lanes3_add(sky, lanes3_scale(broadcast3(key_color), key * 0.42F));
	const struct lanes3 mirrored = lanes3_add(lanes3_all(gloss * 2), lanes3_scale(sky, rim));
	const struct lanes3 light =
		lanes3_add(lanes3_multiply(base, arriving), lanes3_scale(mirrored, SHEEN + none));
	return below_one(lanes3_add(light, emissive));
}

LANES_TARGET void LANES_NAME(plain_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct raster_plain *plain = context;
	struct based_batch batch;
	begin_based(plain, fragments, 0, &batch);
	const float outward = outward_of(fragments);
	for (int i = 0; i < batch.attributes.count; i += LANE_COUNT) {
		const struct lanes4 base = surface_base(plain, fragments->mesh, &batch, i);
		const struct lanes3 seen = surface_light(plain, lanes3_of(base),
			normal_of(&batch.attributes, outward, i),
			eye_at(&plain->scene->world, &batch.attributes, i));
		store_color(seen, lanes_greater(base.w, plain->least + (lanes){0}), i, out);
	}
}

LANES_TARGET void LANES_NAME(plain_mask)(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	mask_based(context, fragments, solid);
}
