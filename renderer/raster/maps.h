/* Kernels for the textures of materials: looking them up, and the normals that they hold. They are
 * those of shaders/include/material.glsl. */
#pragma once

#include "raster/lighting.h"

KERNEL struct lit_material features_of(const struct raster_material *material) {
	struct lit_material out = {
		.of = material, .flags = material->flags, .one_roughness = material->one_roughness};
	for (int map = 0; map < TEXTURE_USE_COUNT; map++) {
		out.maps |= material->maps[map].texture ? 1U << map : 0U;
	}
	return out;
}

KERNEL void look_map_up(
	const struct raster_map *map, const struct raster_attributes *attributes, float (*out)[4]) {
	const struct raster_places *places = &attributes->places[map->set];
	struct raster_places moved;
	if (map->moved) {
		LANES_NAME(texture_transform)(map->rows, places, attributes->count, &moved);
		places = &moved;
	}
	LANES_NAME(texture_sample)(map->texture, places, attributes->count, out);
}

/* --- Normals, in the world --- */

/* The axes of textures, along u and against v; unit makes the longer of them unit. */
struct map_axes {
	struct lanes3 tangent, bitangent;
	lanes unit;
};

/* Those that come from how a texture lies on the screen.
 * Source: Schueler. Normal Mapping without Precomputed Tangents. ShaderX 5, 2006. */
KERNEL struct map_axes axes_on_screen(struct lit_material m, int which,
	const struct raster_attributes *a, struct lanes3 n, int i) {
	const struct raster_map *map = &m.of->maps[which];
	const struct raster_places *p = &a->places[map->set];
	lanes u_right = lanes_load(p->u_right + i), v_right = lanes_load(p->v_right + i);
	lanes u_down = lanes_load(p->u_down + i), v_down = lanes_load(p->v_down + i);
	if (map->moved) {
		const float *rows = map->rows;
		const lanes u = u_right * rows[0] + v_right * rows[1];
		v_right = u_right * rows[3] + v_right * rows[4];
		u_right = u;
		const lanes down = u_down * rows[0] + v_down * rows[1];
		v_down = u_down * rows[3] + v_down * rows[4];
		u_down = down;
	}
	const struct lanes3 across = load3(a->position_right, i), down = load3(a->position_down, i);
	const struct lanes3 down_side = lanes3_cross(down, n),
			    across_side = lanes3_cross(n, across);
	// Pictures may be drawn upside down.
	const lanes facing = lanes3_dot(n, lanes3_cross(across, down)), none = {0};
	const lanes side =
		lanes_select(facing > 0, none + 1, lanes_select(facing < 0, none - 1, none));
	// Along u, and against v, which grows downwards.
	const struct lanes3 tangent = lanes3_add(
		lanes3_scale(down_side, side * u_right), lanes3_scale(across_side, side * u_down));
	const struct lanes3 bitangent = lanes3_add(lanes3_scale(down_side, -(side * v_right)),
		lanes3_scale(across_side, -(side * v_down)));
	const lanes longest =
		lanes_greater(lanes3_dot(tangent, tangent), lanes3_dot(bitangent, bitangent));
	// Without texture coordinates there is no side to bend to.
	const lanes unit = lanes_select(longest > 0, 1 / lanes_sqrt(longest), none);
	return (struct map_axes){tangent, bitangent, unit};
}

/* A normal out of a texture by them. */
KERNEL struct lanes3 bent_on_screen(struct lit_material m, int which,
	const struct raster_attributes *a, struct lanes3 n, struct lanes3 bend, int i) {
	const struct map_axes axes = axes_on_screen(m, which, a, n, i);
	return lanes3_unit(lanes3_add(lanes3_add(lanes3_scale(axes.tangent, bend.x * axes.unit),
					      lanes3_scale(axes.bitangent, bend.y * axes.unit)),
		lanes3_scale(n, bend.z)));
}

KERNEL struct lanes3 bent_by_tangents(
	const struct raster_attributes *a, struct lanes3 n, struct lanes3 bend, int i) {
	// Between vertices whose axes are opposite they vanish.
	const lanes least_square = 1e-12F + (lanes){0};
	const struct lanes3 t = load3(a->tangent, i), b = load3(a->bitangent, i);
	const lanes t_scale = bend.x / lanes_sqrt(lanes_greater(lanes3_dot(t, t), least_square));
	const lanes b_scale = bend.y / lanes_sqrt(lanes_greater(lanes3_dot(b, b), least_square));
	return lanes3_unit(
		lanes3_add(lanes3_add(lanes3_scale(t, t_scale), lanes3_scale(b, b_scale)),
			lanes3_scale(n, bend.z)));
}

/* A normal out of a texture, whose texels these are; n towards the viewer's side. Source: glTF 2.0,
 * 3.9.3. */
KERNEL struct lanes3 bent_normal(struct lit_material m, int which,
	const struct raster_attributes *a, const float (*texels)[4], struct lanes3 n, float scale,
	int i) {
	const struct lanes3 told = lanes3_of(lanes_load4(texels[i], 4));
	// The back has the front's normals turned round: what rises there falls here.
	const lanes along = lanes_load(a->front + i) * scale;
	const struct lanes3 bend = {
		(told.x * 2 - 1) * along, (told.y * 2 - 1) * along, told.z * 2 - 1};
	return m.flags & SHADED_TANGENTS ? bent_by_tangents(a, n, bend, i)
					 : bent_on_screen(m, which, a, n, bend, i);
}

/* The direction along which reflection is stretched, by the axes of textures: at right angles to n
 * as far as these are. */
KERNEL struct lanes3 stretched_along(struct lit_material m, const struct raster_attributes *a,
	struct lanes3 n, lanes x, lanes y, int i) {
	struct map_axes axes = {
		.tangent = lanes3_unit(load3(a->tangent, i)),
		.bitangent = lanes3_unit(load3(a->bitangent, i)),
	};
	if (!(m.flags & SHADED_TANGENTS)) {
		axes = axes_on_screen(m, has(m, MAP_NORMAL) ? MAP_NORMAL : MAP_ANISOTROPY, a, n, i);
		x *= axes.unit;
		y *= axes.unit;
	}
	const struct lanes3 told =
		lanes3_add(lanes3_scale(axes.tangent, x), lanes3_scale(axes.bitangent, y));
	const struct lanes3 sum = lanes3_subtract(told, lanes3_scale(n, lanes3_dot(n, told)));
	const lanes none = {0};
	// Where no texture lies on the surface any direction does that stays with it.
	const struct lanes3 other = lanes3_select(lanes_abs(n.y) < 0.9F,
		(struct lanes3){n.z, none, -n.x}, (struct lanes3){none, -n.z, n.y});
	return lanes3_unit(lanes3_select(lanes3_dot(sum, sum) > 1e-12F, sum, other));
}

/* From the world's axes to those of the light. */
KERNEL struct lanes3 turned(const float *turn, struct lanes3 v) {
	return (struct lanes3){
		(v.x * turn[0] + v.y * turn[3]) + v.z * turn[6],
		(v.x * turn[1] + v.y * turn[4]) + v.z * turn[7],
		(v.x * turn[2] + v.y * turn[5]) + v.z * turn[8],
	};
}
