/* Light that a surface reflects: from all around, and from single lights. Kernels, line by line
 * those of shaders/include/shaded.glsl and ggx.glsl, which have the sources. */
#pragma once

#include <string.h>

#include "raster/film.h"
#include "raster/key_seen.h"
#include "raster/material.h"

#define LIGHTING_PI 3.14159265358979F
/* Below it a light of no size would be seen nowhere. */
#define LEAST_ROUGHNESS 0.05F

/* A material with the features that decide which terms there are: where these are constants, the
 * compiler leaves out what is not needed. */
struct lit_material {
	const struct raster_material *of;
	unsigned flags, maps;
	bool one_roughness;
};

KERNEL bool has(struct lit_material m, int map) {
	return m.maps >> map & 1;
}

/* A fragment on its way to light. */
struct lit_surface {
	struct lanes3 color; // of what is no metal, for light that goes in and comes out again
	struct lanes3 front; // reflection, seen from the front
	lanes edge;          // and at grazing angles
	struct lanes3 dielectric_front;
	lanes dielectric_edge;
	lanes roughness;
	struct lanes3 normal, eye;
	lanes normal_eye;
	struct lanes3 table;        // table_at()
	lanes coat, coat_roughness; // how much of it
	struct lanes3 coat_normal;
	lanes coat_eye;
	struct lanes3 sheen;
	lanes sheen_roughness;
	lanes occlusion;
	lanes transmission, thickness;
	lanes anisotropy;
	struct lanes3 along, across; // unit: the way in which facets are rougher, and the other
	struct key_seen key;         // where anything casts
};

/* Light that goes back, apart from what lies above it. */
struct reflected_light {
	struct lanes3 base, coat;
};

/* --- Tables --- */

/* A place between texels: the number of the first, and what is left. */
struct table_place {
	lanes first, rest;
};

KERNEL struct table_place place_between(lanes at, int last) {
	const lanes bounded = lanes_clamp(at, 0, (float)last);
	const lanes whole =
		__builtin_convertvector(__builtin_convertvector(bounded, lane_mask), lanes);
	const lanes first = lanes_less(whole, (float)(last - 1) + (lanes){0});
	return (struct table_place){first, bounded - first};
}

/* Number j of the first four lanes to all of these, and likewise of each other four. */
KERNEL lanes spread(lanes a, int j) {
	switch (j) {
	case 0:
		return PICK(a, a, 0, 0, 0, 0);
	case 1:
		return PICK(a, a, 1, 1, 1, 1);
	case 2:
		return PICK(a, a, 2, 2, 2, 2);
	default:
		return PICK(a, a, 3, 3, 3, 3);
	}
}

/* Rows of lane j, and of each fourth after it, times these lanes' shares. */
KERNEL lanes weighted_rows(const float *const rows[static LANE_COUNT], int at, lanes share, int j) {
	return lanes_load_some(rows, j, at) * spread(share, j);
}

KERNEL void find_rows(const float (*table)[4], lane_mask at, const float *rows[static LANE_COUNT]) {
	int32_t index[LANE_COUNT];
	memcpy(index, &at, sizeof at);
	for (int j = 0; j < LANE_COUNT; j++) {
		rows[j] = table[index[j]];
	}
}

/* Four texels of a square, mixed. */
KERNEL struct lanes4 mix_square(const float (*texels)[4], const lane_mask *start,
	struct table_place x, struct table_place y, int width) {
	const lanes right = x.rest * y.rest, left = y.rest - right;
	const lanes top_left = (1 - x.rest) - left, top_right = x.rest - right;
	lane_mask at = __builtin_convertvector(y.first * (float)width + x.first, lane_mask);
	if (start) {
		at += *start;
	}
	const float *rows[LANE_COUNT];
	find_rows(texels, at, rows);
	lanes sums[4];
	for (int j = 0; j < 4; j++) {
		sums[j] = (weighted_rows(rows, 0, top_left, j) +
				  weighted_rows(rows, 4, top_right, j)) +
			(weighted_rows(rows, width * 4, left, j) +
				weighted_rows(rows, width * 4 + 4, right, j));
	}
	return lanes_transpose((struct lanes4){sums[0], sums[1], sums[2], sums[3]});
}

KERNEL lanes folded(lanes p, lanes other) {
	const lanes size = 1 - lanes_abs(other);
	return lanes_select(p < 0, -size, size);
}

/* Light from a direction of any length, and the share of the key in it. layers: all of a sky; or
 * one, with roughness NULL. */
KERNEL struct lanes4 light_and_key(
	const float (*layers)[4], struct lanes3 direction, const lanes *roughness) {
	const lanes sum =
		(lanes_abs(direction.x) + lanes_abs(direction.y)) + lanes_abs(direction.z);
	const lanes per_sum = 1 / sum, x = direction.x * per_sum, z = direction.z * per_sum;
	const lane_mask below = direction.y < 0;
	const float half = TABLES_LIGHT_SIZE / 2 - 1, middle = TABLES_LIGHT_SIZE / 2 - 0.5F;
	const int last = TABLES_LIGHT_SIZE - 1;
	const struct table_place across =
		place_between(lanes_select(below, folded(x, z), x) * half + middle, last);
	const struct table_place down =
		place_between(lanes_select(below, folded(z, x), z) * half + middle, last);
	if (!roughness) {
		return mix_square(layers, NULL, across, down, TABLES_LIGHT_SIZE);
	}
	const struct table_place layer =
		place_between(*roughness * (9 - 2 * *roughness), TABLES_LIGHT_LAYERS - 1);
	const lane_mask near =
		__builtin_convertvector(layer.first * (float)SCENE_LIGHT_TEXELS, lane_mask);
	const lane_mask next = near + SCENE_LIGHT_TEXELS;
	const struct lanes4 a = mix_square(layers, &near, across, down, TABLES_LIGHT_SIZE);
	const struct lanes4 b = mix_square(layers, &next, across, down, TABLES_LIGHT_SIZE);
	const struct lanes3 light = lanes3_mix(lanes3_of(a), lanes3_of(b), layer.rest);
	return (struct lanes4){light.x, light.y, light.z, lanes_mix(a.w, b.w, layer.rest)};
}

KERNEL struct lanes3 light_from(
	const float (*layers)[4], struct lanes3 direction, const lanes *roughness) {
	return lanes3_of(light_and_key(layers, direction, roughness));
}

/* The same without the part of the key that is hidden. */
KERNEL struct lanes3 light_seen(struct lit_material m, const struct lit_surface *s,
	const float (*layers)[4], struct lanes3 direction, const lanes *roughness) {
	const struct lanes4 light = light_and_key(layers, direction, roughness);
	if (!(m.flags & SHADED_CAST)) {
		return lanes3_of(light);
	}
	const struct lanes3 color = broadcast3(m.of->scene->key->block.color);
	return lanes3_subtract(lanes3_of(light), lanes3_scale(color, light.w * (1 - s->key.share)));
}

/* The share of light from all directions that is reflected; see raster/tables.h. */
KERNEL struct lanes3 table_at(const struct raster_scene *scene, lanes normal_eye, lanes roughness) {
	const float last = TABLES_REFLECTION_SIZE - 1;
	return lanes3_of(mix_square(scene->reflection[0], NULL,
		place_between(lanes_sqrt(normal_eye) * last, TABLES_REFLECTION_SIZE - 1),
		place_between(roughness * last, TABLES_REFLECTION_SIZE - 1),
		TABLES_REFLECTION_SIZE));
}

/* The same along one row. */
KERNEL struct lanes3 row_at(const float (*row)[4], lanes normal_eye) {
	const struct table_place place = place_between(
		lanes_sqrt(normal_eye) * (TABLES_REFLECTION_SIZE - 1), TABLES_REFLECTION_SIZE - 1);
	const float *rows[LANE_COUNT];
	find_rows(row, __builtin_convertvector(place.first, lane_mask), rows);
	lanes sums[4];
	for (int j = 0; j < 4; j++) {
		sums[j] = weighted_rows(rows, 0, 1 - place.rest, j) +
			weighted_rows(rows, 4, place.rest, j);
	}
	return lanes3_of(lanes_transpose((struct lanes4){sums[0], sums[1], sums[2], sums[3]}));
}

/* --- Light from all around --- */

/* The k-th of each stride numbers. */
KERNEL lanes harmonics_at(const float *f, int stride, int k, struct lanes3 n) {
	const float *at = f + k;
	const lanes even = at[0] + at[6 * stride] * (3 * (n.z * n.z) - 1) +
		at[8 * stride] * (n.x * n.x - n.y * n.y);
	const lanes straight = (at[stride] * n.y + at[2 * stride] * n.z) + at[3 * stride] * n.x;
	const lanes bent = (at[4 * stride] * (n.x * n.y) + at[5 * stride] * (n.y * n.z)) +
		at[7 * stride] * (n.x * n.z);
	return (even + straight) + bent;
}

KERNEL struct lanes3 irradiance_at(const struct raster_sky *sky, struct lanes3 n) {
	const float *f = sky->irradiance[0];
	return (struct lanes3){
		harmonics_at(f, 3, 0, n), harmonics_at(f, 3, 1, n), harmonics_at(f, 3, 2, n)};
}

/* The same with that part of the key that is seen. */
KERNEL struct lanes3 irradiance_seen(struct lit_material m, const struct lit_surface *s) {
	const struct raster_scene *scene = m.of->scene;
	const struct lanes3 all = irradiance_at(scene->sky, s->normal);
	if (!(m.flags & SHADED_CAST)) {
		return all;
	}
	const lanes unseen =
		harmonics_at(scene->sky->key_irradiance, 1, 0, s->normal) - s->key.light;
	const struct lanes3 less =
		lanes3_subtract(all, lanes3_scale(broadcast3(scene->key->block.color), unseen));
	const lanes none = {0};
	return (struct lanes3){lanes_greater(less.x, none), lanes_greater(less.y, none),
		lanes_greater(less.z, none)};
}

/* Where most of the light comes from that facets send to the eye: the rougher, the nearer to the
 * normal. */
KERNEL struct lanes3 main_direction(struct lanes3 eye, struct lanes3 n, lanes roughness) {
	const lanes square = roughness * roughness, straight = square * square;
	const lanes rest = 1 - straight;
	const lanes along = 2 * lanes3_dot(n, eye) * rest + straight;
	return lanes3_subtract(lanes3_scale(n, along), lanes3_scale(eye, rest));
}

/* The share of light that facets reflect to one another before it leaves, where once is the share
 * that they reflect to the eye directly. */
KERNEL lanes reflected_often(lanes once, lanes front, lanes edge, lanes lost) {
	const lanes mean = front + (edge - front) * (1 / 21.0F);
	return once * mean * (lost / (1 - mean * lost));
}

/* The normal that light from all around is mirrored at: bent to the way in which facets are
 * stretched. */
KERNEL struct lanes3 mirror_normal(const struct lit_surface *s) {
	const struct lanes3 bent =
		lanes3_unit(lanes3_cross(lanes3_cross(s->across, s->eye), s->across));
	const lanes rest = 1 - s->anisotropy * (1 - s->roughness), square = rest * rest;
	return lanes3_unit(lanes3_mix(bent, s->normal, square * square));
}

/* The share of light that does not go back as white: it goes into what is no metal. */
KERNEL lanes goes_in(const struct lit_surface *s, lanes grazing) {
	const struct lanes3 back =
		lanes3_mix(s->dielectric_front, lanes3_all(s->dielectric_edge), grazing);
	return 1 - lanes3_most(back);
}

/* The share of light from all around that goes into what is no metal. */
KERNEL lanes goes_in_from_around(const struct lit_surface *s, lanes lost) {
	const lanes front = lanes3_most(s->dielectric_front), edge = s->dielectric_edge;
	const lanes once = front * s->table.x + edge * s->table.y;
	return 1 - (once + reflected_often(once, front, edge, lost));
}

/* Light that facets reflect: seen is what they reflect directly, around what they reflect often. */
KERNEL lanes facets_reflect(
	const struct lit_surface *s, lanes front, lanes seen, lanes around, lanes lost) {
	const lanes once = front * s->table.x + s->edge * s->table.y;
	return seen * once + around * reflected_often(once, front, s->edge, lost);
}

/* Occluded surfaces reflect less light, too. */
KERNEL lanes seen_share(const struct lit_surface *s) {
	const lanes seen =
		lanes_power(s->normal_eye + s->occlusion, lanes_exp2(-16 * s->roughness - 1));
	return lanes_clamp((seen - 1) + s->occlusion, 0, 1);
}

KERNEL struct reflected_light reflected_environment(
	struct lit_material m, const struct lit_surface *s) {
	const struct raster_scene *scene = m.of->scene;
	const float(*all)[4] = scene->sky->light[0];
	const float(*layers)[4] = m.one_roughness ? m.of->light : all;
	const lanes *roughness = m.one_roughness ? NULL : &s->roughness;
	// Even perfect mirrors send this share to other facets.
	const lanes lost = 1 - (s->table.x + s->table.y);
	const struct lanes3 around = irradiance_seen(m, s);
	const struct lanes3 mirror = m.flags & SHADED_ANISOTROPY ? mirror_normal(s) : s->normal;
	const struct lanes3 seen =
		light_seen(m, s, layers, main_direction(s->eye, mirror, s->roughness), roughness);
	const lanes in = goes_in_from_around(s, lost);
	struct lanes3 inside = lanes3_scale(s->color, in * (1 - s->transmission));
	inside = lanes3_scale(lanes3_multiply(inside, around), s->occlusion);
	const lanes share = has(m, MAP_OCCLUSION) ? seen_share(s) : 1 + (lanes){0};
	const struct lanes3 back = {
		facets_reflect(s, s->front.x, seen.x, around.x, lost),
		facets_reflect(s, s->front.y, seen.y, around.y, lost),
		facets_reflect(s, s->front.z, seen.z, around.z, lost),
	};
	struct reflected_light r = {
		.base = lanes3_add(inside, lanes3_scale(back, share)),
		.coat = lanes3_all((lanes){0}),
	};
	if (m.flags & SHADED_SHEEN) {
		const lanes own = table_at(scene, s->normal_eye, s->sheen_roughness).z;
		const struct lanes3 cloth =
			lanes3_multiply(lanes3_scale(s->sheen, own * s->occlusion), around);
		r.base = lanes3_add(lanes3_scale(r.base, 1 - lanes3_most(s->sheen) * own), cloth);
	}
	if (m.flags & SHADED_CLEARCOAT) {
		const struct lanes3 coat = table_at(scene, s->coat_eye, s->coat_roughness);
		const struct lanes3 direction =
			main_direction(s->eye, s->coat_normal, s->coat_roughness);
		r.coat = lanes3_scale(light_seen(m, s, all, direction, &s->coat_roughness),
			0.04F * coat.x + coat.y);
	}
	return r;
}

/* --- Single lights --- */

/* Schlick's share of the reflection at grazing angles. */
KERNEL lanes grazing(lanes cosine) {
	const lanes x = lanes_clamp(1 - cosine, 0, 1), square = x * x;
	return (square * square) * x;
}

/* The distribution of facets along the half vector. */
KERNEL lanes ggx_distribution(lanes square, lanes normal_half) {
	const lanes bottom = (normal_half * normal_half) * (square - 1) + 1;
	return square / (LIGHTING_PI * (bottom * bottom));
}

/* The visibility of facets, over four times both cosines. */
KERNEL lanes ggx_visibility(lanes square, lanes normal_light, lanes normal_eye) {
	const lanes towards_eye =
		normal_light * lanes_sqrt((normal_eye * normal_eye) * (1 - square) + square);
	const lanes towards_light =
		normal_eye * lanes_sqrt((normal_light * normal_light) * (1 - square) + square);
	return 0.5F / lanes_greater(towards_eye + towards_light, 1e-7F + (lanes){0});
}

/* The light that a lobe of facets sends to the eye, without its colour; its cosine included. */
KERNEL lanes lobe(
	struct lanes3 n, lanes normal_eye, struct lanes3 l, struct lanes3 h, lanes roughness) {
	const lanes least = lanes_greater(roughness, LEAST_ROUGHNESS + (lanes){0});
	const lanes alpha = least * least, square = alpha * alpha, none = {0};
	const lanes normal_light = lanes_greater(lanes3_dot(n, l), none);
	const lanes facets = ggx_distribution(square, lanes_greater(lanes3_dot(n, h), none));
	return (normal_light * facets) * ggx_visibility(square, normal_light, normal_eye);
}

KERNEL lanes length_of(struct lanes3 a) {
	return lanes_sqrt(lanes3_dot(a, a));
}

/* The same of facets that are stretched. */
KERNEL lanes stretched_lobe(const struct lit_surface *s, struct lanes3 l, struct lanes3 h) {
	const lanes least = lanes_greater(s->roughness, LEAST_ROUGHNESS + (lanes){0}), none = {0};
	const lanes across = least * least;
	const lanes along = lanes_mix(across, 1 + none, s->anisotropy * s->anisotropy);
	const lanes area = along * across;
	const lanes normal_light = lanes_greater(lanes3_dot(s->normal, l), none);
	const struct lanes3 f = {across * lanes3_dot(s->along, h), along * lanes3_dot(s->across, h),
		area * lanes_greater(lanes3_dot(s->normal, h), none)};
	const lanes share = area / lanes_greater(lanes3_dot(f, f), 1e-20F + none);
	const lanes facets = (area * (share * share)) * (1 / LIGHTING_PI);
	const struct lanes3 to_eye = {along * lanes3_dot(s->along, s->eye),
		across * lanes3_dot(s->across, s->eye), s->normal_eye};
	const struct lanes3 to_light = {
		along * lanes3_dot(s->along, l), across * lanes3_dot(s->across, l), normal_light};
	const lanes both = normal_light * length_of(to_eye) + s->normal_eye * length_of(to_light);
	return ((normal_light * facets) * 0.5F) / lanes_greater(both, 1e-7F + none);
}

/* A sheen's, by the distribution of its fibres. */
KERNEL lanes sheen_lobe(const struct lit_surface *s, lanes normal_light, struct lanes3 h) {
	const lanes least = 1e-4F + (lanes){0};
	const lanes square = s->sheen_roughness * s->sheen_roughness;
	const lanes inverse = 1 / lanes_greater(square, 1e-3F + (lanes){0});
	const lanes cosine = lanes3_dot(s->normal, h);
	const lanes sine_square = lanes_greater(1 - cosine * cosine, least);
	const lanes fibres =
		(2 + inverse) * lanes_power(sine_square, inverse * 0.5F) * (0.5F / LIGHTING_PI);
	const lanes both = (normal_light + s->normal_eye) - normal_light * s->normal_eye;
	return (fibres * normal_light) / (4 * lanes_greater(both, least));
}

/* A light of this strength, from that direction. */
KERNEL struct reflected_light reflected_single(struct lit_material m, const struct lit_surface *s,
	struct lanes3 l, struct lanes3 strength) {
	const struct lanes3 h = lanes3_unit(lanes3_add(l, s->eye));
	const lanes more = grazing(lanes3_dot(s->eye, h));
	const lanes normal_light = lanes_clamp(lanes3_dot(s->normal, l), 0, 1);
	const lanes in = ((1 - s->transmission) * (1 / LIGHTING_PI)) * goes_in(s, more);
	const struct lanes3 inside = lanes3_scale(s->color, in * normal_light);
	const lanes facets = m.flags & SHADED_ANISOTROPY
		? stretched_lobe(s, l, h)
		: lobe(s->normal, s->normal_eye, l, h, s->roughness);
	// With what facets reflect to one another.
	const lanes often = 1 / (s->table.x + s->table.y) - 1;
	const struct lanes3 all = {
		1 + s->front.x * often, 1 + s->front.y * often, 1 + s->front.z * often};
	const struct lanes3 back =
		lanes3_multiply(all, lanes3_mix(s->front, lanes3_all(s->edge), more));
	struct reflected_light r = {
		.base = lanes3_multiply(strength, lanes3_add(inside, lanes3_scale(back, facets))),
		.coat = lanes3_all((lanes){0}),
	};
	if (m.flags & SHADED_SHEEN) {
		const lanes least = lanes_greater(normal_light, 1e-3F + (lanes){0});
		const lanes taken =
			lanes_greater(table_at(m.of->scene, s->normal_eye, s->sheen_roughness).z,
				table_at(m.of->scene, least, s->sheen_roughness).z);
		const struct lanes3 cloth = lanes3_scale(
			lanes3_multiply(strength, s->sheen), sheen_lobe(s, normal_light, h));
		r.base = lanes3_add(lanes3_scale(r.base, 1 - lanes3_most(s->sheen) * taken), cloth);
	}
	if (m.flags & SHADED_CLEARCOAT) {
		const lanes share = lanes_mix(0.04F + (lanes){0}, 1 + (lanes){0}, more) *
			lobe(s->coat_normal, s->coat_eye, l, h, s->coat_roughness);
		r.coat = lanes3_scale(strength, share);
	}
	return r;
}

/* The amount of a light that arrives, and its direction. */
KERNEL struct lanes3 arriving(
	const struct shaded_light *light, struct lanes3 to_origin, struct lanes3 *l) {
	const lanes one = 1 + (lanes){0};
	const struct lanes3 way = lanes3_add(
		broadcast3(light->place), lanes3_scale(to_origin, light->place[3] * one));
	const lanes square = lanes_greater(lanes3_dot(way, way), 1e-12F * one);
	*l = lanes3_scale(way, 1 / lanes_sqrt(square));
	const lanes along = -lanes3_dot(broadcast3(light->direction), *l);
	const lanes cone = lanes_clamp(along * light->direction[3] + light->color[3], 0, 1);
	const lanes window = lanes_clamp(1 - (square * square) * light->range[0], 0, 1);
	const lanes share = light->place[3] > 0 ? window / square : one;
	return lanes3_scale(broadcast3(light->color), (cone * cone) * share);
}
