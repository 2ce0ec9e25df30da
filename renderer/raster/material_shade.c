// Surfaces as glTF describes them.
#include "base/lanes.h"
#include "raster/maps.h"
#include "raster/transmission.h"

/* The attributes and texels of the fragments. */
struct shaded_batch {
	struct raster_attributes attributes;
	float looked_up[MAP_COUNT][RASTER_QUEUE][4];
};

KERNEL struct lanes4 looked_up(const struct shaded_batch *batch, int map, int i) {
	return lanes_load4(batch->looked_up[map][i], 4);
}

/* --- The material at a fragment: shaders/include/material.glsl --- */

KERNEL struct lanes4 base_of(struct lit_material m, const struct shaded_batch *batch, int i) {
	const float *factor = m.of->numbers[0];
	const lanes one = 1 + (lanes){0};
	struct lanes4 base = {factor[0] * one, factor[1] * one, factor[2] * one, factor[3] * one};
	if (m.flags & SHADED_COLORS) {
		const float(*color)[RASTER_QUEUE] = batch->attributes.color;
		base.x *= lanes_load(color[0] + i);
		base.y *= lanes_load(color[1] + i);
		base.z *= lanes_load(color[2] + i);
		base.w *= lanes_load(color[3] + i);
	}
	if (has(m, MAP_BASE_COLOR)) {
		const struct lanes4 texture = looked_up(batch, MAP_BASE_COLOR, i);
		base.x *= texture.x;
		base.y *= texture.y;
		base.z *= texture.z;
		base.w *= texture.w;
	}
	return base;
}

KERNEL struct lanes3 emission_of(struct lit_material m, const struct shaded_batch *batch, int i) {
	const struct lanes3 factor = broadcast3(m.of->numbers[1]);
	return has(m, MAP_EMISSIVE)
		? lanes3_multiply(factor, lanes3_of(looked_up(batch, MAP_EMISSIVE, i)))
		: factor;
}

KERNEL void take_metal(struct lit_material m, const struct shaded_batch *batch, int i, lanes *metal,
	lanes *roughness) {
	*metal = m.of->numbers[1][3] + (lanes){0};
	*roughness = m.of->numbers[2][0] + (lanes){0};
	if (has(m, MAP_METALLIC_ROUGHNESS)) {
		const struct lanes4 texture = looked_up(batch, MAP_METALLIC_ROUGHNESS, i);
		*metal *= texture.z;
		*roughness *= texture.y;
	}
	*metal = lanes_clamp(*metal, 0, 1);
	*roughness = lanes_clamp(*roughness, 0, 1);
}

/* The reflection of what is no metal, seen from the front; w at grazing angles. */
KERNEL struct lanes4 reflection_of(struct lit_material m, const struct shaded_batch *batch, int i) {
	const lanes one = 1 + (lanes){0};
	struct lanes3 front = broadcast3(m.of->numbers[3]);
	lanes edge = m.of->numbers[3][3] * one;
	if (has(m, MAP_SPECULAR_COLOR)) {
		front = lanes3_multiply(front, lanes3_of(looked_up(batch, MAP_SPECULAR_COLOR, i)));
	}
	front = (struct lanes3){lanes_less(front.x, one) * edge, lanes_less(front.y, one) * edge,
		lanes_less(front.z, one) * edge};
	if (has(m, MAP_SPECULAR)) {
		const lanes share = looked_up(batch, MAP_SPECULAR, i).w;
		front = lanes3_scale(front, share);
		edge *= share;
	}
	return (struct lanes4){front.x, front.y, front.z, edge};
}

/* --- The surface: surface_of() of shaders/include/shaded.glsl --- */

KERNEL lanes cosine_to_eye(struct lanes3 n, struct lanes3 eye) {
	return lanes_clamp(lanes3_dot(n, eye), 1e-3F, 1);
}

KERNEL void take_coat(struct lit_material m, const struct shaded_batch *batch, struct lanes3 n,
	int i, struct lit_surface *s) {
	s->coat = m.of->numbers[4][0] + (lanes){0};
	s->coat_roughness = m.of->numbers[4][1] + (lanes){0};
	if (has(m, MAP_CLEARCOAT)) {
		s->coat *= looked_up(batch, MAP_CLEARCOAT, i).x;
	}
	if (has(m, MAP_CLEARCOAT_ROUGHNESS)) {
		s->coat_roughness *= looked_up(batch, MAP_CLEARCOAT_ROUGHNESS, i).y;
	}
	if (has(m, MAP_CLEARCOAT_NORMAL)) {
		n = bent_normal(m, MAP_CLEARCOAT_NORMAL, &batch->attributes,
			batch->looked_up[MAP_CLEARCOAT_NORMAL], n, m.of->numbers[4][2], i);
	}
	s->coat_normal = turned(m.of->scene->turn, n);
	s->coat_eye = cosine_to_eye(s->coat_normal, s->eye);
}

KERNEL void take_sheen(
	struct lit_material m, const struct shaded_batch *batch, int i, struct lit_surface *s) {
	s->sheen = broadcast3(m.of->numbers[5]);
	s->sheen_roughness = m.of->numbers[5][3] + (lanes){0};
	if (has(m, MAP_SHEEN_COLOR)) {
		s->sheen =
			lanes3_multiply(s->sheen, lanes3_of(looked_up(batch, MAP_SHEEN_COLOR, i)));
	}
	if (has(m, MAP_SHEEN_ROUGHNESS)) {
		s->sheen_roughness *= looked_up(batch, MAP_SHEEN_ROUGHNESS, i).w;
	}
}

/* A film changes what is reflected from the front. */
KERNEL void take_film(struct lit_material m, const struct shaded_batch *batch, struct lanes3 base,
	lanes metal, int i, struct lit_surface *s) {
	const float *film = m.of->numbers[7];
	lanes share = film[0] + (lanes){0}, thickness = film[3] + (lanes){0};
	if (has(m, MAP_IRIDESCENCE)) {
		share *= looked_up(batch, MAP_IRIDESCENCE, i).x;
	}
	if (has(m, MAP_IRIDESCENCE_THICKNESS)) {
		thickness = lanes_mix(film[2] + (lanes){0}, thickness,
			looked_up(batch, MAP_IRIDESCENCE_THICKNESS, i).y);
	}
	share = lanes_select(thickness > 0, share, (lanes){0});
	const lanes cosine = s->normal_eye;
	const struct lanes3 dielectric = film_front(
		cosine, film_reflection(cosine, film[1], thickness, s->dielectric_front));
	const struct lanes3 metallic =
		film_front(cosine, film_reflection(cosine, film[1], thickness, base));
	s->dielectric_front = lanes3_mix(s->dielectric_front, dielectric, share);
	s->front = lanes3_mix(s->dielectric_front, lanes3_mix(base, metallic, share), metal);
}

/* n: the surface's, in the world, not bent. */
KERNEL void take_anisotropy(struct lit_material m, const struct shaded_batch *batch,
	struct lanes3 n, int i, struct lit_surface *s) {
	const float *told = m.of->numbers[6];
	const lanes none = {0};
	lanes strength = told[1] + none, x = told[2] + none, y = told[3] + none;
	if (has(m, MAP_ANISOTROPY)) {
		const struct lanes4 texture = looked_up(batch, MAP_ANISOTROPY, i);
		const lanes right = texture.x * 2 - 1, up = texture.y * 2 - 1;
		const lanes square = right * right + up * up;
		const lanes unit = 1 / lanes_sqrt(lanes_greater(square, 1e-20F + none));
		const lanes cosine = lanes_select(square > 0, right * unit, 1 + none);
		const lanes sine = lanes_select(square > 0, up * unit, none);
		strength *= texture.z;
		x = told[2] * cosine - told[3] * sine;
		y = told[3] * cosine + told[2] * sine;
	}
	s->anisotropy = lanes_clamp(strength, 0, 1);
	s->along = turned(m.of->scene->turn, stretched_along(m, &batch->attributes, n, x, y, i));
	s->across = lanes3_cross(turned(m.of->scene->turn, n), s->along);
}

KERNEL struct lit_surface surface_of(struct lit_material m, const struct shaded_batch *batch,
	struct lanes4 base, float outward, int i) {
	struct lit_surface s;
	lanes metal;
	take_metal(m, batch, i, &metal, &s.roughness);
	const struct lanes4 reflection = reflection_of(m, batch, i);
	s.color = lanes3_scale(lanes3_of(base), 1 - metal);
	s.dielectric_front = lanes3_of(reflection);
	s.dielectric_edge = reflection.w;
	s.front = lanes3_mix(s.dielectric_front, lanes3_of(base), metal);
	s.edge = lanes_mix(reflection.w, 1 + (lanes){0}, metal);
	const struct lanes3 n = normal_of(&batch->attributes, outward, i);
	s.normal = turned(m.of->scene->turn,
		has(m, MAP_NORMAL)
			? bent_normal(m, MAP_NORMAL, &batch->attributes,
				  batch->looked_up[MAP_NORMAL], n, m.of->numbers[2][1], i)
			: n);
	s.eye = eye_at(&m.of->scene->sight, &batch->attributes, i);
	s.normal_eye = cosine_to_eye(s.normal, s.eye);
	s.table = m.one_roughness ? row_at(m.of->reflection, s.normal_eye)
				  : table_at(m.of->scene, s.normal_eye, s.roughness);
	s.occlusion = 1 + (lanes){0};
	if (has(m, MAP_OCCLUSION)) {
		s.occlusion += m.of->numbers[2][2] * (looked_up(batch, MAP_OCCLUSION, i).x - 1);
	}
	s.transmission = s.thickness = (lanes){0};
	if (m.flags & SHADED_TRANSMISSION) {
		s.transmission += m.of->numbers[4][3];
		if (has(m, MAP_TRANSMISSION)) {
			s.transmission *= looked_up(batch, MAP_TRANSMISSION, i).x;
		}
		s.thickness = m.of->numbers[8][0] + (lanes){0};
		if (has(m, MAP_THICKNESS)) {
			s.thickness *= looked_up(batch, MAP_THICKNESS, i).y;
		}
	}
	if (m.flags & SHADED_CLEARCOAT) {
		take_coat(m, batch, n, i, &s);
	}
	if (m.flags & SHADED_SHEEN) {
		take_sheen(m, batch, i, &s);
	}
	if (m.flags & SHADED_IRIDESCENCE) {
		take_film(m, batch, lanes3_of(base), metal, i, &s);
	}
	if (m.flags & SHADED_ANISOTROPY) {
		take_anisotropy(m, batch, n, i, &s);
	}
	return s;
}

/* --- Light: shaded() of shaders/include/shaded.glsl --- */

KERNEL struct lanes3 to_origin_at(struct lit_material m, const struct raster_attributes *a, int i) {
	const struct raster_scene *scene = m.of->scene;
	return turned(
		scene->turn, lanes3_subtract(broadcast3(scene->origin), load3(a->position, i)));
}

KERNEL void add_lights(struct lit_material m, const struct lit_surface *s,
	const struct raster_attributes *a, int i, struct reflected_light *sum) {
	const struct raster_scene *scene = m.of->scene;
	const struct lanes3 to_origin = to_origin_at(m, a, i);
	const bool casts = m.flags & SHADED_CAST;
	for (int k = 0; k < scene->light_count; k++) {
		struct lanes3 l;
		struct lanes3 strength = arriving(&scene->lights[k], to_origin, &l);
		if (casts && k == (int)scene->key->block.numbers[3]) {
			strength = lanes3_scale(strength, s->key.mean);
		}
		const struct reflected_light one = reflected_single(m, s, l, strength);
		sum->base = lanes3_add(sum->base, one.base);
		sum->coat = lanes3_add(sum->coat, one.coat);
	}
}

/* Tone-mapped unless a copy wants it as it is; through is the share of the background that shows
 * through. */
KERNEL struct lanes3 lit(struct lit_material m, const struct shaded_batch *batch,
	struct lanes4 base, float outward, int i, lanes *through) {
	struct lit_surface s = surface_of(m, batch, base, outward, i);
	if (m.flags & SHADED_CAST) {
		const struct lanes3 shape = normal_of(&batch->attributes, outward, i);
		s.key = key_seen(m.of->scene->key, to_origin_at(m, &batch->attributes, i), s.normal,
			turned(m.of->scene->turn, shape));
	}
	const struct lanes3 none = lanes3_all((lanes){0});
	struct reflected_light sum = {none, none};
	if (m.flags & SHADED_ENVIRONMENT) {
		sum = reflected_environment(m, &s);
	}
	if (m.flags & SHADED_LIT) {
		add_lights(m, &s, &batch->attributes, i, &sum);
	}
	sum.base = lanes3_add(sum.base, emission_of(m, batch, i));
	if (m.flags & SHADED_TRANSMISSION) {
		*through = add_transmission(m, &s, load3(batch->attributes.position, i), &sum.base);
	}
	if (m.flags & SHADED_CLEARCOAT) {
		const lanes more = grazing(s.coat_eye);
		const lanes above = s.coat * lanes_mix(0.04F + (lanes){0}, 1 + (lanes){0}, more);
		sum.base = lanes3_add(
			lanes3_scale(sum.base, 1 - above), lanes3_scale(sum.coat, s.coat));
		*through *= 1 - above;
	}
	const struct lanes3 light = lanes3_scale(sum.base, m.of->scene->exposure + (lanes){0});
	return m.flags & SHADED_UNMAPPED ? light : tone_mapped(light, m.of->scene->tone_mapping);
}

KERNEL void begin_batch(struct lit_material m, unsigned wants, unsigned maps,
	const struct raster_fragments *fragments, struct shaded_batch *batch) {
	LANES_NAME(attributes_mix)(fragments, wants, &batch->attributes);
	for (int map = 0; map < MAP_COUNT; map++) {
		if (maps >> map & 1) {
			look_map_up(&m.of->maps[map], &batch->attributes, batch->looked_up[map]);
		}
	}
}

KERNEL void shade(struct lit_material m, const struct shaded_batch *batch, float outward,
	struct raster_colors *out) {
	for (int i = 0; i < batch->attributes.count; i += LANE_COUNT) {
		const struct lanes4 base = base_of(m, batch, i);
		lanes through = {0};
		const lanes alpha = lanes_greater(base.w, m.of->numbers[6][0] + (lanes){0});
		struct lanes3 seen = lanes3_of(base);
		if (!(m.flags & SHADED_UNLIT)) {
			seen = lit(m, batch, base, outward, i, &through);
		} else if (m.flags & SHADED_EMISSIVE) {
			seen = lanes3_add(seen, emission_of(m, batch, i));
		}
		lanes_store(seen.x * alpha, out->red + i);
		lanes_store(seen.y * alpha, out->green + i);
		lanes_store(seen.z * alpha, out->blue + i);
		lanes_store(alpha * (1 - through), out->alpha + i);
	}
}

/* Flags that make no difference here, or only to begin_batch(). */
#define NO_TERMS (SHADED_ENCODED | SHADED_MANY | SHADED_CUT | SHADED_TANGENTS)

/* Most materials by far are the first or the second of these. */
LANES_TARGET void LANES_NAME(material_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct lit_material m = features_of(context);
	const float outward = outward_of(fragments);
	struct shaded_batch batch;
	begin_batch(m, m.of->wants, m.maps, fragments, &batch);
	if ((m.flags & ~(unsigned)NO_TERMS) != SHADED_ENVIRONMENT || !m.one_roughness) {
		shade(m, &batch, outward, out);
	} else if (m.maps == 1U << MAP_BASE_COLOR) {
		shade((struct lit_material){m.of, SHADED_ENVIRONMENT, 1U << MAP_BASE_COLOR, true},
			&batch, outward, out);
	} else if (m.maps == 0) {
		shade((struct lit_material){m.of, SHADED_ENVIRONMENT, 0, true}, &batch, outward,
			out);
	} else {
		shade(m, &batch, outward, out);
	}
}

LANES_TARGET void LANES_NAME(material_mask)(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	const struct lit_material m = features_of(context);
	struct shaded_batch batch;
	const unsigned color = m.flags & SHADED_COLORS ? RASTER_WANTS_COLOR : 0U;
	const unsigned second = m.of->maps[MAP_BASE_COLOR].set > 0 ? RASTER_WANTS_SECOND : 0U;
	begin_batch(m, color | second, m.maps & 1U << MAP_BASE_COLOR, fragments, &batch);
	for (int i = 0; i < batch.attributes.count; i += LANE_COUNT) {
		const lane_mask hole = base_of(m, &batch, i).w < m.of->numbers[2][3];
		for (int j = 0; j < LANE_COUNT; j++) {
			solid[i + j] = !hole[j];
		}
	}
}
