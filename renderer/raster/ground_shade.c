// Colours of the ground.
#include "raster/ground_shade.h"

#include <string.h>

#include "base/lanes.h"
#include "raster/attributes.h"
#include "raster/functions.h"

#define ATTRIBUTES LANES_NAME(attributes_mix)

/* Beyond this distance lines have long run together. */
#define FAR 1e6F

/* Alpha of the three kinds of lines, and their widths in pixels. */
#define TENTHS_OPACITY 0.16F
#define UNITS_OPACITY 0.4F
#define AXES_OPACITY 0.75F
#define TENTHS_WIDTH 1.0F
#define UNITS_WIDTH 1.2F
#define AXES_WIDTH 1.8F

/* The falloff of light with contact and with proximity, and the least that remains; exponents are
 * to base 2. */
#define TOUCH_DENSITY (2.0F * 1.442695041F)
#define NEAR_DENSITY (2.6F * 1.442695041F)
#define TOUCH_DARKEST 0.4F
#define NEAR_DARKEST 0.3F

KERNEL lanes all(float a) {
	return a + (lanes){0};
}

KERNEL lanes smooth_step(float from, float to, lanes at) {
	const lanes t = lanes_clamp((at - from) / (to - from), 0, 1);
	return t * t * (3 - 2 * t);
}

/* Lines so far away: [0, 1]; pixel is the length that a pixel covers. */
KERNEL lanes covered(lanes away, lanes pixel, float width) {
	return lanes_clamp((0.5F * width + 0.5F) - away / pixel, 0, 1);
}

/* Lines at each whole number; they are gone before they run together. */
KERNEL lanes ruled(lanes at, lanes pixel, float width) {
	const lanes bounded = lanes_clamp(at, -FAR, FAR) - 0.5F;
	const lanes away = lanes_abs((bounded - lanes_floor(bounded)) - 0.5F);
	return covered(away, pixel, width) * (1 - smooth_step(0.08F, 0.3F, pixel));
}

/* The length in units that a pixel covers, in one direction on the ground. */
KERNEL lanes pixel_of(const float *right, const float *down) {
	const lanes x = lanes_load(right), y = lanes_load(down);
	return lanes_greater(lanes_sqrt(x * x + y * y), all(1e-9F));
}

KERNEL lanes lines_along(const struct ground_lines *lines, lanes at, lanes pixel, int axis) {
	const lanes tenths = ruled(at * 10, pixel * 10, TENTHS_WIDTH) * TENTHS_OPACITY;
	const lanes units = ruled(at, pixel, UNITS_WIDTH) * UNITS_OPACITY;
	const lanes axes = covered(lanes_abs(at - lines->middle[axis]), pixel, AXES_WIDTH) *
		(1 - smooth_step(0.3F, 1.0F, pixel)) * AXES_OPACITY;
	return lanes_greater(lanes_greater(tenths, units), axes);
}

LANES_TARGET void LANES_NAME(ground_grid_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct ground_lines *lines = context;
	struct raster_attributes attributes;
	ATTRIBUTES(fragments, RASTER_WANTS_SECOND, &attributes);
	const struct raster_places *place = &attributes.places[0], *corner = &attributes.places[1];
	for (int i = 0; i < attributes.count; i += LANE_COUNT) {
		const lanes across = lines_along(lines, lanes_load(place->u + i),
			pixel_of(place->u_right + i, place->u_down + i), 0);
		const lanes along = lines_along(lines, lanes_load(place->v + i),
			pixel_of(place->v_right + i, place->v_down + i), 1);
		const lanes x = lanes_load(corner->u + i), y = lanes_load(corner->v + i);
		const lanes edge = smooth_step(0.15F, 1.0F, lanes_sqrt(x * x + y * y));
		const lanes alpha = lanes_greater(across, along) * (lines->strength * (1 - edge));
		const lanes light = lines->lightness * alpha;
		lanes_store(light, out->red + i);
		lanes_store(light, out->green + i);
		lanes_store(light, out->blue + i);
		lanes_store(alpha, out->alpha + i);
	}
}

/* Two numbers of a map, mixed between texels; clamped at its edges. */
KERNEL void look_up(const struct ground_map *map, float u, float v, float out[static 2]) {
	const float last = (float)(map->side - 1), half = 0.5F;
	const float at[2] = {u * (float)map->side - half, v * (float)map->side - half};
	int first[2];
	float rest[2];
	for (int k = 0; k < 2; k++) {
		const float bounded = at[k] > 0 ? (at[k] < last ? at[k] : last) : 0;
		first[k] = (int)bounded;
		rest[k] = bounded - (float)first[k];
	}
	const int right = first[0] + (first[0] < map->side - 1 ? 1 : 0);
	const int below = first[1] + (first[1] < map->side - 1 ? 1 : 0);
	const float(*upper)[2] = map->shades + (size_t)first[1] * (size_t)map->side;
	const float(*lower)[2] = map->shades + (size_t)below * (size_t)map->side;
	for (int k = 0; k < 2; k++) {
		const float a =
			upper[first[0]][k] + rest[0] * (upper[right][k] - upper[first[0]][k]);
		const float b =
			lower[first[0]][k] + rest[0] * (lower[right][k] - lower[first[0]][k]);
		out[k] = a + rest[1] * (b - a);
	}
}

LANES_TARGET void LANES_NAME(ground_shadow_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct ground_map *map = context;
	struct raster_attributes attributes;
	ATTRIBUTES(fragments, 0, &attributes);
	const struct raster_places *place = &attributes.places[0];
	float touch[RASTER_QUEUE], near[RASTER_QUEUE];
	for (int i = 0; i < attributes.count; i++) {
		float shades[2];
		look_up(map, place->u[i], place->v[i], shades);
		touch[i] = shades[0];
		near[i] = shades[1];
	}
	for (int i = 0; i < attributes.count; i += LANE_COUNT) {
		const lanes contact = lanes_exp2(lanes_load(touch + i) * -TOUCH_DENSITY);
		const lanes around = lanes_exp2(lanes_load(near + i) * -NEAR_DENSITY);
		const lanes light = (TOUCH_DARKEST + (1 - TOUCH_DARKEST) * contact) *
			(NEAR_DARKEST + (1 - NEAR_DARKEST) * around);
		lanes_store(all(0), out->red + i);
		lanes_store(all(0), out->green + i);
		lanes_store(all(0), out->blue + i);
		lanes_store(1 - light, out->alpha + i);
	}
}

LANES_TARGET void LANES_NAME(ground_cast_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct ground_falloff *falloff = context;
	struct raster_attributes attributes;
	ATTRIBUTES(fragments, RASTER_WANTS_POSITION, &attributes);
	for (int i = 0; i < attributes.count; i += LANE_COUNT) {
		const lanes above = lanes_load(attributes.position[1] + i) - falloff->height;
		const lanes touch = lanes_clamp(1 - above * falloff->touch, 0, 1);
		const lanes near = lanes_clamp(1 - above * falloff->near, 0, 1);
		lanes_store(touch * touch, out->red + i);
		lanes_store(near * near, out->green + i);
		lanes_store(all(0), out->blue + i);
		lanes_store(all(1), out->alpha + i);
	}
}
