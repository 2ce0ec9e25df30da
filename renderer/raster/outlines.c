// Outlines: figures that are a little larger, of which one sees the insides.
#include <math.h>
#include <string.h>

#include "draw/material.h"
#include "raster/material.h"
#include "raster/surfaces.h"

/* A primitive on its way. */
struct outline {
	const struct surface_set *set;
	const struct raster_figure *figure;
	const struct primitive *primitive;
	const struct raster_material *shading;
	float scale;   // of widths on the screen, beside w
	float outward; // -1 where the pose mirrors the surface
};

/* Places of so many vertices from one on, which do not change from a pixel to the next: the first
 * level is looked up. */
static void take_places(
	const float *texcoords, size_t first, size_t count, struct raster_places *out) {
	memset(out, 0, sizeof *out);
	for (size_t i = 0; texcoords && i < count; i++) {
		out->u[i] = texcoords[(first + i) * 2];
		out->v[i] = texcoords[(first + i) * 2 + 1];
	}
}

/* The widths of so many vertices from one on, at most RASTER_QUEUE. */
static void take_widths(
	const struct outline *outline, size_t first, size_t count, float out[static RASTER_QUEUE]) {
	const struct raster_material *shading = outline->shading;
	const struct rig *rig = outline->set->rig;
	const bool textured = shading->maps[TEXTURE_OUTLINE_WIDTH].texture;
	struct raster_places sets[TEXCOORD_SETS];
	float texels[RASTER_QUEUE][4];
	for (int set = 0; textured && set < TEXCOORD_SETS; set++) {
		take_places(rig->texcoords[set], first, count, &sets[set]);
	}
	if (textured) {
		toon_look_widths_up(shading, sets, texels);
	}
	for (size_t i = 0; i < count; i++) {
		out[i] = shading->toon[5][1] * (textured ? texels[i][1] : 1);
	}
}

static float depth_of(const float *m, const float *p) {
	return (m[3] * p[0] + m[7] * p[1]) + (m[11] * p[2] + m[15]);
}

static void move_vertex(const struct outline *outline, size_t i, float width, float *out) {
	const float *p = outline->figure->positions + i * 3, *n = outline->figure->normals + i * 3;
	const float square = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
	const float length = sqrtf(square > 1e-20F ? square : 1e-20F);
	if (outline->shading->toon[5][2] > 0) {
		width *= depth_of(outline->figure->view_projection, p) * outline->scale;
	}
	const float far = outline->outward * width / length;
	for (size_t k = 0; k < 3; k++) {
		out[i * 3 + k] = p[k] + n[k] * far;
	}
}

static void move_primitive(const struct outline *outline, float *positions) {
	const size_t first = (size_t)outline->primitive->first_vertex;
	const size_t end = first + (size_t)outline->primitive->vertex_count;
	for (size_t at = first; at < end; at += RASTER_QUEUE) {
		const size_t left = end - at, count = left < RASTER_QUEUE ? left : RASTER_QUEUE;
		float widths[RASTER_QUEUE];
		take_widths(outline, at, count, widths);
		for (size_t i = 0; i < count; i++) {
			move_vertex(outline, at + i, widths[i], positions);
		}
	}
}

static void move_all(const struct surface_set *set, const struct raster_figure *figure,
	const bool *mirrored, float *positions) {
	const float scale = outline_scale(figure->view_projection);
	for (int i = 0; i < set->rig->primitive_count; i++) {
		const struct outline outline = {
			.set = set,
			.figure = figure,
			.primitive = &set->rig->primitives[i],
			.shading = set->outlines[i].context,
			.scale = scale,
			.outward = mirrored[i] ? 1 : -1,
		};
		if (set->outlines[i].kind != RASTER_HIDDEN) {
			move_primitive(&outline, positions);
		}
	}
}

bool surface_set_outlines(const struct surface_set *set, const struct raster_figure *figure,
	struct arena *arena, struct raster_figure *out) {
	if (!set->outlines) {
		return false;
	}
	const size_t primitives = (size_t)set->rig->primitive_count;
	const size_t floats = (size_t)set->rig->vertex_count * 3;
	// One sees the insides, which count as outsides here.
	bool *mirrored = arena_alloc(arena, primitives + 1, sizeof *mirrored);
	for (size_t i = 0; i < primitives; i++) {
		mirrored[i] = !(figure->mirrored && figure->mirrored[i]);
	}
	float *positions = arena_alloc(arena, floats + 1, sizeof *positions);
	memcpy(positions, figure->positions, floats * sizeof *positions);
	move_all(set, figure, mirrored, positions);
	*out = *figure;
	out->surfaces = set->outlines;
	out->mirrored = mirrored;
	out->positions = positions;
	return true;
}
