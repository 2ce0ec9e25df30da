// MToon: shaders/include/toon.glsl.
#include "base/lanes.h"
#include "raster/maps.h"

/* Attributes, texels and normals of the fragments. */
struct toon_batch {
	struct raster_attributes attributes;
	float looked_up[MAP_COUNT][RASTER_QUEUE][4]; // by toon_slot()
	float normal[3][RASTER_QUEUE];               // in the axes of the light
};

/* MToon's own take the places of those that no such material has. */
static inline int toon_slot(int map) {
	return map < MAP_COUNT ? map : map - MAP_SHADE_MULTIPLY + MAP_SPECULAR;
}

KERNEL struct lanes4 texel_of(const struct toon_batch *batch, int map, int i) {
	return lanes_load4(batch->looked_up[toon_slot(map)][i], 4);
}

/* --- Texture coordinates --- */

/* Turns and shifts places by as much as the mask lets through. */
KERNEL void animate(const struct raster_material *material, const float (*mask)[4],
	const struct raster_places *from, int count, struct raster_places *to) {
	const float *by = material->toon[6];
	for (int i = 0; i < count; i += LANE_COUNT) {
		const lanes share = lanes_load4(mask[i], 4).z;
		lanes s, c;
		lanes_turn((share * by[2]) * 0.159154943F, &s, &c);
		const lanes u = lanes_load(from->u + i) - 0.5F, v = lanes_load(from->v + i) - 0.5F;
		lanes_store(((u * c + v * s) + 0.5F) + share * by[0], to->u + i);
		lanes_store(((v * c - u * s) + 0.5F) + share * by[1], to->v + i);
		const lanes u_right = lanes_load(from->u_right + i),
			    v_right = lanes_load(from->v_right + i);
		lanes_store(u_right * c + v_right * s, to->u_right + i);
		lanes_store(v_right * c - u_right * s, to->v_right + i);
		const lanes u_down = lanes_load(from->u_down + i),
			    v_down = lanes_load(from->v_down + i);
		lanes_store(u_down * c + v_down * s, to->u_down + i);
		lanes_store(v_down * c - u_down * s, to->v_down + i);
	}
}

KERNEL void look_toon_up(const struct raster_map *map, const struct raster_places *places,
	int count, float (*out)[4]) {
	struct raster_places moved;
	if (map->moved) {
		LANES_NAME(texture_transform)(map->rows, places, count, &moved);
		places = &moved;
	}
	LANES_NAME(texture_sample)(map->texture, places, count, out);
}

#define UNMOVED (1U << MAP_MATCAP | 1U << MAP_UV_ANIMATION_MASK)

/* Looks textures up but for the sphere's, which lies by the normal. */
KERNEL void look_all_up(struct lit_material m, unsigned maps, struct toon_batch *batch) {
	const struct raster_map *all = m.of->maps;
	const int count = batch->attributes.count;
	float(*mask)[4] = batch->looked_up[toon_slot(MAP_UV_ANIMATION_MASK)];
	struct raster_places *places = batch->attributes.places;
	if (m.flags & SHADED_ANIMATED) {
		const struct raster_map *map = &all[MAP_UV_ANIMATION_MASK];
		look_toon_up(map, &places[map->set], count, mask);
		const int sets = m.of->wants & RASTER_WANTS_SECOND ? TEXCOORD_SETS : 1;
		for (int set = 0; set < sets; set++) {
			animate(m.of, mask, &places[set], count, &places[set]);
		}
	}
	for (int map = 0; map < TEXTURE_USE_COUNT; map++) {
		if (maps & ~UNMOVED & 1U << map) {
			look_toon_up(&all[map], &places[all[map].set], count,
				batch->looked_up[toon_slot(map)]);
		}
	}
}

#ifndef LANES_AVX2
void toon_look_widths_up(const struct raster_material *material,
	struct raster_places sets[static TEXCOORD_SETS], float (*out)[4]) {
	const struct raster_map *width = &material->maps[MAP_OUTLINE_WIDTH];
	const struct raster_map *mask = &material->maps[MAP_UV_ANIMATION_MASK];
	struct raster_places *places = &sets[width->set];
	if (material->flags & SHADED_ANIMATED) {
		look_toon_up(mask, &sets[mask->set], RASTER_QUEUE, out);
		animate(material, out, places, RASTER_QUEUE, places);
	}
	look_toon_up(width, places, RASTER_QUEUE, out);
}
#endif

/* --- Normals --- */

/* An outline shows the insides of its surface, which is lit as if they were its outside. Its mesh
 * counts as mirrored where the surface's does not. */
KERNEL struct lanes3 toon_normal(
	struct lit_material m, const struct raster_attributes *a, float outward, int i) {
	return m.flags & SHADED_OUTLINE
		? lanes3_scale(lanes3_unit(load3(a->normal, i)), -outward + (lanes){0})
		: normal_of(a, outward, i);
}

KERNEL void take_normals(struct lit_material m, float outward, struct toon_batch *batch) {
	const struct raster_attributes *a = &batch->attributes;
	for (int i = 0; i < a->count; i += LANE_COUNT) {
		struct lanes3 n = toon_normal(m, a, outward, i);
		if (has(m, MAP_NORMAL)) {
			n = bent_normal(m, MAP_NORMAL, a, batch->looked_up[MAP_NORMAL], n,
				m.of->numbers[2][1], i);
		}
		n = turned(m.of->scene->turn, n);
		lanes_store(n.x, batch->normal[0] + i);
		lanes_store(n.y, batch->normal[1] + i);
		lanes_store(n.z, batch->normal[2] + i);
	}
}

/* --- The picture of a sphere --- */

/* The place of a normal on it, towards the eye from v. */
KERNEL void place_on_sphere(struct lanes3 n, struct lanes3 v, lanes *across, lanes *down) {
	const lanes one = 1 + (lanes){0}, none = {0};
	// Level, and at right angles to the view: there is none for a view straight up or down.
	const lanes square = v.z * v.z + v.x * v.x;
	const lane_mask level = square > 1e-12F;
	const lanes length = lanes_sqrt(lanes_select(level, square, one));
	const struct lanes3 x = {lanes_select(level, v.z / length, one), none,
		lanes_select(level, -v.x / length, none)};
	const struct lanes3 y = lanes3_cross(v, x);
	*across = 0.5F + 0.495F * lanes3_dot(x, n);
	*down = 0.5F - 0.495F * lanes3_dot(y, n);
}

/* The same of the vertices' normals for fragments that lie beside others. */
KERNEL void take_places_beside(struct lit_material m, const struct raster_fragments *fragments,
	int right, int down, float outward, float *u, float *v) {
	struct raster_fragments beside = *fragments;
	struct raster_attributes a;
	for (int i = 0; i < (fragments->count + 7) / 8 * 8; i++) {
		beside.x[i] += right;
		beside.y[i] += down;
	}
	LANES_NAME(attributes_mix)(&beside, 0, &a);
	for (int i = 0; i < a.count; i += LANE_COUNT) {
		const struct lanes3 n = turned(m.of->scene->turn, toon_normal(m, &a, outward, i));
		lanes across, downwards;
		place_on_sphere(n, eye_at(&m.of->scene->sight, &a, i), &across, &downwards);
		lanes_store(across, u + i);
		lanes_store(downwards, v + i);
	}
}

KERNEL void store_difference(const float *from, float *to, int i) {
	lanes_store(lanes_load(to + i) - lanes_load(from + i), to + i);
}

KERNEL void look_sphere_up(struct lit_material m, const struct raster_fragments *fragments,
	float outward, struct toon_batch *batch) {
	struct raster_places places;
	take_places_beside(m, fragments, 0, 0, outward, places.u, places.v);
	take_places_beside(m, fragments, RASTER_PIXEL, 0, outward, places.u_right, places.v_right);
	take_places_beside(m, fragments, 0, RASTER_PIXEL, outward, places.u_down, places.v_down);
	for (int i = 0; i < batch->attributes.count; i += LANE_COUNT) {
		store_difference(places.u, places.u_right, i);
		store_difference(places.v, places.v_right, i);
		store_difference(places.u, places.u_down, i);
		store_difference(places.v, places.v_down, i);
		lanes across, down;
		place_on_sphere(load3(batch->normal, i),
			eye_at(&m.of->scene->sight, &batch->attributes, i), &across, &down);
		lanes_store(across, places.u + i);
		lanes_store(down, places.v + i);
	}
	look_toon_up(&m.of->maps[MAP_MATCAP], &places, batch->attributes.count,
		batch->looked_up[toon_slot(MAP_MATCAP)]);
}

/* --- Light --- */

/* A colour that a texture multiplies, if there is one. */
KERNEL struct lanes3 toon_color(struct lit_material m, const struct toon_batch *batch,
	struct lanes3 factor, int map, int i) {
	return has(m, map) ? lanes3_multiply(factor, lanes3_of(texel_of(batch, map, i))) : factor;
}

KERNEL struct lanes4 toon_base(struct lit_material m, const struct toon_batch *batch, int i) {
	const float *factor = m.of->numbers[0];
	const lanes one = 1 + (lanes){0};
	struct lanes4 base = {factor[0] * one, factor[1] * one, factor[2] * one, factor[3] * one};
	if (has(m, MAP_BASE_COLOR)) {
		const struct lanes4 texel = texel_of(batch, MAP_BASE_COLOR, i);
		base.x *= texel.x;
		base.y *= texel.y;
		base.z *= texel.z;
		base.w *= texel.w;
	}
	return base;
}

/* Light that falls on the surface, and the part of it that goes back. */
struct toon_light {
	struct lanes3 falling, back;
};

KERNEL struct toon_light light_around(struct lit_material m, struct lanes3 base, struct lanes3 n) {
	struct toon_light out = {lanes3_all((lanes){0}), lanes3_all((lanes){0})};
	if (m.flags & SHADED_ENVIRONMENT) {
		const lanes share = m.of->toon[3][2] + (lanes){0};
		out.falling = lanes3_mix(
			irradiance_at(m.of->scene->sky, n), broadcast3(m.of->light_equal), share);
		out.back = lanes3_multiply(out.falling, base);
	}
	return out;
}

KERNEL void add_light(struct lit_material m, const struct toon_batch *batch, struct lanes3 base,
	struct lanes3 n, int i, struct toon_light *sum) {
	const struct raster_scene *scene = m.of->scene;
	const float(*toon)[4] = m.of->toon;
	const struct lanes3 shade =
		toon_color(m, batch, broadcast3(toon[0]), MAP_SHADE_MULTIPLY, i);
	lanes shift = toon[0][3] + (lanes){0};
	if (has(m, MAP_SHADING_SHIFT)) {
		shift += texel_of(batch, MAP_SHADING_SHIFT, i).x * toon[5][0];
	}
	const struct lanes3 away =
		lanes3_subtract(broadcast3(scene->origin), load3(batch->attributes.position, i));
	const struct lanes3 to_origin = turned(scene->turn, away);
	lanes seen = 1 + (lanes){0};
	if (m.flags & SHADED_CAST) {
		seen = key_seen(scene->key, to_origin, n, n).mean;
	}
	for (int k = 0; k < scene->light_count; k++) {
		struct lanes3 l;
		const struct lanes3 strength = lanes3_scale(
			arriving(&scene->lights[k], to_origin, &l), 1 / LIGHTING_PI + (lanes){0});
		lanes lit =
			lanes_clamp(((lanes3_dot(n, l) + shift) + toon[1][3]) * toon[3][3], 0, 1);
		if (m.flags & SHADED_CAST && k == (int)scene->key->block.numbers[3]) {
			lit *= seen;
		}
		sum->back = lanes3_add(
			sum->back, lanes3_multiply(strength, lanes3_mix(shade, base, lit)));
		sum->falling = lanes3_add(sum->falling, strength);
	}
}

KERNEL struct lanes3 toon_rim(
	struct lit_material m, const struct toon_batch *batch, struct lanes3 n, int i) {
	const float(*toon)[4] = m.of->toon;
	const struct lanes3 v = eye_at(&m.of->scene->sight, &batch->attributes, i);
	const lanes none = {0};
	const lanes edge = lanes_clamp((1 - lanes3_dot(n, v)) + toon[3][0], 0, 1);
	const lanes power = lanes_power(edge, toon[2][3] + none);
	struct lanes3 rim = lanes3_scale(broadcast3(toon[2]), lanes_select(edge > 0, power, none));
	if (has(m, MAP_MATCAP)) {
		rim = lanes3_add(rim, toon_color(m, batch, broadcast3(toon[1]), MAP_MATCAP, i));
	}
	return toon_color(m, batch, rim, MAP_RIM_MULTIPLY, i);
}

KERNEL struct lanes3 toon_seen(
	struct lit_material m, const struct toon_batch *batch, struct lanes3 base, int i) {
	const float(*toon)[4] = m.of->toon;
	const struct lanes3 n = load3(batch->normal, i), white = lanes3_all(1 + (lanes){0});
	struct toon_light sum = light_around(m, base, n);
	if (m.flags & SHADED_LIT) {
		add_light(m, batch, base, n, i, &sum);
	}
	const struct lanes3 share = lanes3_mix(white, sum.falling, toon[3][1] + (lanes){0});
	struct lanes3 seen = lanes3_add(sum.back, lanes3_multiply(toon_rim(m, batch, n, i), share));
	seen = lanes3_add(
		seen, toon_color(m, batch, broadcast3(m.of->numbers[1]), MAP_EMISSIVE, i));
	if (m.flags & SHADED_OUTLINE) {
		seen = lanes3_multiply(
			broadcast3(toon[4]), lanes3_mix(white, seen, toon[4][3] + (lanes){0}));
	}
	const struct lanes3 light = lanes3_scale(seen, m.of->scene->exposure + (lanes){0});
	return m.flags & SHADED_UNMAPPED ? light : tone_mapped(light, m.of->scene->tone_mapping);
}

LANES_TARGET void LANES_NAME(toon_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct lit_material m = features_of(context);
	const float outward = outward_of(fragments);
	struct toon_batch batch;
	LANES_NAME(attributes_mix)(fragments, m.of->wants, &batch.attributes);
	look_all_up(m, m.maps, &batch);
	take_normals(m, outward, &batch);
	if (has(m, MAP_MATCAP)) {
		look_sphere_up(m, fragments, outward, &batch);
	}
	for (int i = 0; i < batch.attributes.count; i += LANE_COUNT) {
		const struct lanes4 base = toon_base(m, &batch, i);
		const lanes alpha = lanes_greater(base.w, m.of->numbers[6][0] + (lanes){0});
		store_color(toon_seen(m, &batch, lanes3_of(base), i), alpha, i, out);
	}
}

LANES_TARGET void LANES_NAME(toon_mask)(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	const struct lit_material m = features_of(context);
	struct toon_batch batch;
	LANES_NAME(attributes_mix)
	(fragments, m.of->wants & RASTER_WANTS_SECOND, &batch.attributes);
	look_all_up(m, m.maps & 1U << MAP_BASE_COLOR, &batch);
	for (int i = 0; i < batch.attributes.count; i += LANE_COUNT) {
		const lane_mask hole = toon_base(m, &batch, i).w < m.of->numbers[2][3];
		for (int j = 0; j < LANE_COUNT; j++) {
			solid[i + j] = !hole[j];
		}
	}
}
