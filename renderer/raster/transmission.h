/* Kernels for light that comes through a surface, line by line those of
 * shaders/include/transmission.glsl, which has the sources. */
#pragma once

#include "raster/lighting.h"

/* From the light's axes to those of the world. */
KERNEL struct lanes3 turned_back(const float *turn, struct lanes3 v) {
	return (struct lanes3){
		(v.x * turn[0] + v.y * turn[1]) + v.z * turn[2],
		(v.x * turn[3] + v.y * turn[4]) + v.z * turn[5],
		(v.x * turn[6] + v.y * turn[7]) + v.z * turn[8],
	};
}

/* The way of light through what lies behind the surface, in the light's axes. */
KERNEL struct lanes3 refracted(const struct lit_surface *s, lanes index) {
	const lanes eta = 1 / index, cosine = lanes3_dot(s->normal, s->eye);
	const lanes square = 1 - (eta * eta) * (1 - cosine * cosine);
	const lanes down = lanes_sqrt(lanes_greater(square, (lanes){0})) - eta * cosine;
	const struct lanes3 way =
		lanes3_add(lanes3_scale(s->eye, eta), lanes3_scale(s->normal, down));
	return lanes3_scale(lanes3_unit(way), -s->thickness);
}

/* What the picture shows in that direction behind a fragment. */
KERNEL struct lanes4 behind_at(const struct raster_scene *scene, struct lanes3 world,
	struct lanes3 ray, lanes roughness, lanes index) {
	const float *m = scene->view_projection;
	const struct lanes3 way = turned_back(scene->turn, ray);
	const struct lanes3 p = lanes3_add(world, way);
	const lanes x = ((p.x * m[0] + p.y * m[4]) + p.z * m[8]) + m[12];
	const lanes y = ((p.x * m[1] + p.y * m[5]) + p.z * m[9]) + m[13];
	const lanes w = ((p.x * m[3] + p.y * m[7]) + p.z * m[11]) + m[15];
	const lanes half = 0.5F / lanes_greater(w, 1e-6F + (lanes){0});
	const lanes level = (roughness * lanes_clamp(index * 2 - 2, 0, 1)) *
		lanes_log2((float)scene->behind->width + (lanes){0});
	float places[2][LANE_COUNT], levels[LANE_COUNT], seen[LANE_COUNT][4];
	lanes_store(x * half + 0.5F, places[0]);
	lanes_store(y * half + 0.5F, places[1]);
	lanes_store(level, levels);
	for (int j = 0; j < LANE_COUNT; j++) {
		raster_behind_at(scene->behind, (const float[2]){places[0][j], places[1][j]},
			levels[j], seen[j]);
	}
	return lanes_load4(seen[0], 4);
}

/* The share of a colour that is left behind so long a way. */
KERNEL lanes left_of(float color, lanes length, float per_distance) {
	return lanes_power((color > 1e-6F ? color : 1e-6F) + (lanes){0}, length * per_distance);
}

/* The light from behind, its alpha in w, and what the surface leaves of each colour. */
KERNEL struct lanes4 seen_through(struct lit_material m, const struct lit_surface *s,
	struct lanes3 world, struct lanes3 *left) {
	const float *volume = m.of->numbers[8], *color = m.of->numbers[9];
	const struct raster_scene *scene = m.of->scene;
	const float index = volume[1] > 1 ? volume[1] : 1;
	const lanes all = index + (lanes){0};
	struct lanes3 ray = lanes3_all((lanes){0});
	*left = s->color;
	if (m.flags & SHADED_VOLUME) {
		ray = refracted(s, all);
		const lanes length = s->thickness;
		left->x *= left_of(color[0], length, color[3]);
		left->y *= left_of(color[1], length, color[3]);
		left->z *= left_of(color[2], length, color[3]);
	}
	struct lanes4 seen = behind_at(scene, world, ray, s->roughness, all);
	if (m.flags & SHADED_DISPERSION) {
		const lanes spread = ((index - 1) * 0.025F) * volume[2] + (lanes){0};
		const lanes least = lanes_greater(all - spread, 1 + (lanes){0});
		const struct lanes4 red =
			behind_at(scene, world, refracted(s, least), s->roughness, least);
		const lanes most = all + spread;
		const struct lanes4 blue =
			behind_at(scene, world, refracted(s, most), s->roughness, most);
		seen = (struct lanes4){
			red.x, seen.y, blue.z, ((red.w + seen.w) + blue.w) * (1 / 3.0F)};
	}
	return seen;
}

/* Adds light from behind; returns the share of a background that shows through where the picture
 * has nothing. */
KERNEL lanes add_transmission(struct lit_material m, const struct lit_surface *s,
	struct lanes3 world, struct lanes3 *base) {
	const lanes in = goes_in_from_around(s, 1 - (s->table.x + s->table.y));
	const lanes share = s->transmission * in;
	struct lanes3 left;
	const struct lanes4 seen = seen_through(m, s, world, &left);
	// The copy has the exposure.
	const struct lanes3 through = lanes3_scale(
		lanes3_multiply(left, lanes3_of(seen)), 1 / (m.of->scene->exposure + (lanes){0}));
	*base = lanes3_add(*base, lanes3_scale(through, share));
	const lanes nothing = share * (1 - seen.w);
	const lanes least = lanes3_least(left) * (1 - s->roughness);
	if (m.flags & SHADED_ENVIRONMENT) {
		// That part of the colour that no background can give.
		const float(*all)[4] = m.of->scene->sky->light[0];
		const struct lanes3 tint = lanes3_subtract(left, lanes3_all(least));
		const struct lanes3 eye = {-s->eye.x, -s->eye.y, -s->eye.z};
		const struct lanes3 around = light_from(m.one_roughness ? m.of->light : all, eye,
			m.one_roughness ? NULL : &s->roughness);
		*base = lanes3_add(*base, lanes3_scale(lanes3_multiply(tint, around), nothing));
	}
	return nothing * least;
}
