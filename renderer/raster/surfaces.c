// From a draw job to a figure for the rasteriser.
#include "raster/surfaces.h"

#include <string.h>

#include "base/lanes.h"
#include "draw/material.h"
#include "raster/key_maps.h"
#include "raster/material.h"
#include "raster/painting.h"
#include "raster/plain.h"

/* --- Vertices --- */

struct surface_streams surface_streams_of(const struct rig *rig, const float *streams) {
	const size_t count = (size_t)rig->vertex_count;
	return (struct surface_streams){
		.positions = streams,
		.normals = streams + count * 3,
		.tangents = rig->tangents ? streams + count * 6 : NULL,
	};
}

/* The squared length below which a normal has vanished: its surface was flattened to a line. */
#define VANISHED 1e-20F

static float row_times(const float row[static 4], const float v[static 3]) {
	return (row[0] * v[0] + row[1] * v[1]) + row[2] * v[2];
}

static void place_normal(
	const float map[static 12], const float normal[static 3], float out[static 3]) {
	float square = 0;
	for (int k = 0; k < 3; k++) {
		out[k] = row_times(map + k * 4, normal);
		square += out[k] * out[k];
	}
	if (!(square > VANISHED)) {
		memcpy(out, normal, 3 * sizeof *out);
	}
}

struct surface_streams surface_streams_placed(const struct rig *rig, const float *copies,
	const struct drawn_figure *figure, struct arena *arena) {
	const size_t count = (size_t)rig->vertex_count, stride = gpu_rig_stream_floats(rig);
	const size_t copy = (size_t)figure->normal_map[3];
	const struct surface_streams from = surface_streams_of(rig, copies + copy * stride);
	float normal_map[12];
	memcpy(normal_map, figure->normal_map, sizeof normal_map);
	normal_map[3] = 0;
	float *streams = arena_alloc(arena, stride + 1, sizeof *streams);
	float *normals = streams + count * 3, *tangents = normals + count * 3;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			const float *row = figure->placement + k * 4;
			streams[i * 3 + k] = row_times(row, from.positions + i * 3) + row[3];
		}
		place_normal(normal_map, from.normals + i * 3, normals + i * 3);
	}
	for (size_t i = 0; from.tangents && i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			tangents[i * 4 + k] =
				row_times(figure->placement + k * 4, from.tangents + i * 4);
		}
		tangents[i * 4 + 3] = from.tangents[i * 4 + 3];
	}
	return surface_streams_of(rig, streams);
}

/* --- Materials --- */

/* A material as it is shaded in this picture. */
struct surface_cache {
	struct surface_cache *next;
	const struct material *material;
	unsigned flags;
	float scale;
	struct raster_material *shading;
};

/* A set on its way. */
struct making {
	const struct surface_job *job;
	const struct raster_scene *scene;
	const struct paint *paint; // a copy; NULL = materials
	const struct rig *rig;
};

static const struct raster_scene *make_scene(const struct surface_job *job) {
	const struct draw_job *draw = job->draw;
	struct raster_scene *scene = arena_alloc(job->arena, 1, sizeof *scene);
	struct raster_view view = {.width = job->width, .height = job->height};
	memcpy(view.view_projection, draw->view_projection, sizeof view.view_projection);
	memcpy(view.eye, draw->eye, sizeof view.eye);
	memcpy(view.key_direction, draw->key_direction, sizeof view.key_direction);
	struct shaded_look look = draw->look;
	const size_t lights = (size_t)look.light_count;
	struct shaded_light *own = arena_alloc(job->arena, lights + 1, sizeof *own);
	if (lights > 0) {
		memcpy(own, look.lights, lights * sizeof *own);
	}
	look.lights = own;
	raster_scene_begin(scene, &view, &look, job->skies);
	scene->behind = job->behind ? job->behind : scene->behind;
	if (look.key) {
		struct raster_key *key = arena_alloc(job->arena, 1, sizeof *key);
		*key = raster_key_maps_view(job->key_maps, look.key);
		scene->key = key;
	}
	return scene;
}

/* The shading of a material, which lives in the cache. */
static const struct raster_material *material_of(const struct making *making,
	const struct material *material, unsigned flags, float scale, struct error *err) {
	const struct surface_job *job = making->job;
	for (const struct surface_cache *row = *job->cache; row; row = row->next) {
		if (row->material == material && row->flags == flags && row->scale == scale) {
			return row->shading;
		}
	}
	const struct draw_job *draw = job->draw;
	struct raster_material_job shaded = {
		.scene = making->scene,
		.material = material,
		.variant = material_variant_of(draw->rig, material, &draw->look, flags),
		.scale = scale,
		.look = &draw->look,
	};
	if (!cpu_rig_textures(
		    job->cpu, draw->rig, material, shaded.variant.maps, shaded.textures, err)) {
		return NULL;
	}
	struct surface_cache *row = arena_alloc(job->arena, 1, sizeof *row);
	*row = (struct surface_cache){
		.next = *job->cache,
		.material = material,
		.flags = flags,
		.scale = scale,
		.shading = arena_alloc(job->arena, 1, sizeof *row->shading),
	};
	raster_material_begin(row->shading, &shaded);
	*job->cache = row;
	return row->shading;
}

static unsigned flags_of(const struct draw_job *draw, const struct primitive *primitive) {
	const bool tangents = draw->tangents && rig_has_tangents(draw->rig, primitive);
	return (tangents ? SHADED_TANGENTS : 0U) | (primitive->unlit ? SHADED_UNLIT : 0U);
}

/* That of a primitive's thickness. */
static float scale_of(const struct making *making, const struct primitive *primitive) {
	const struct draw_job *draw = making->job->draw;
	return draw->scales && primitive_transmits(draw->rig, primitive)
		? draw->scales[primitive - draw->rig->primitives]
		: 1;
}

static enum raster_surface_kind kind_of(
	const struct making *making, const struct primitive *primitive) {
	const enum draw_pass pass = primitive_pass(making->rig, primitive);
	return pass == DRAW_TRANSMISSIVE ? RASTER_HIDDEN
		: pass == DRAW_OPAQUE    ? RASTER_OPAQUE
		: making->job->unmapped  ? RASTER_HIDDEN
					 : RASTER_BLENDED;
}

/* pass: 0, or SHADED_OUTLINE. */
static bool shade_material(const struct making *making, const struct primitive *primitive,
	const struct material *material, unsigned pass, struct raster_surface *out,
	struct error *err) {
	const unsigned flags = flags_of(making->job->draw, primitive) | pass |
		(making->job->unmapped ? SHADED_UNMAPPED : 0U);
	const struct raster_material *shading =
		material_of(making, material, flags, scale_of(making, primitive), err);
	const bool toon = shading && shading->flags & SHADED_TOON;
	out->kind = kind_of(making, primitive);
	out->order = material_draw_order(material);
	out->writes_depth = material->transparent_with_z_write;
	out->context = shading;
	out->shade = toon ? LANES_CHOICE(making->job->lanes, toon_shade)
			  : LANES_CHOICE(making->job->lanes, material_shade);
	if (material->alpha_mode == ALPHA_MASK) {
		out->mask = toon ? LANES_CHOICE(making->job->lanes, toon_mask)
				 : LANES_CHOICE(making->job->lanes, material_mask);
	}
	return shading;
}

/* --- Plain shading, and paint --- */

static bool base_texture(const struct making *making, const struct material *material,
	const struct raster_texture **out, struct error *err) {
	const struct raster_texture *textures[TEXTURE_USE_COUNT];
	const bool ok = cpu_rig_textures(
		making->job->cpu, making->rig, material, 1U << TEXTURE_BASE_COLOR, textures, err);
	*out = textures[TEXTURE_BASE_COLOR];
	return ok;
}

static bool shade_plainly(const struct making *making, const struct primitive *primitive,
	const struct material *material, struct raster_surface *out, struct error *err) {
	const struct raster_texture *texture;
	struct raster_plain *plain = arena_alloc(making->job->arena, 1, sizeof *plain);
	if (!base_texture(making, material, &texture, err)) {
		return false;
	}
	raster_plain_begin(plain, making->scene, material, texture, primitive->unlit);
	out->kind = material->alpha_mode == ALPHA_BLEND ? RASTER_BLENDED : RASTER_OPAQUE;
	out->context = plain;
	out->shade = LANES_CHOICE(making->job->lanes, plain_shade);
	if (material->alpha_mode == ALPHA_MASK) {
		out->mask = LANES_CHOICE(making->job->lanes, plain_mask);
	}
	return true;
}

static bool shade_paint(const struct making *making, int primitive, const struct material *material,
	struct raster_surface *out, struct error *err) {
	const struct raster_texture *texture;
	struct raster_painting *painting = arena_alloc(making->job->arena, 1, sizeof *painting);
	if (!base_texture(making, material, &texture, err)) {
		return false;
	}
	raster_painting_begin(painting, making->scene, making->rig, primitive, making->paint,
		texture, making->job->plain);
	out->kind = RASTER_OPAQUE;
	out->context = painting;
	out->shade = LANES_CHOICE(making->job->lanes, paint_shade);
	if (material->alpha_mode != ALPHA_OPAQUE) {
		out->mask = LANES_CHOICE(making->job->lanes, paint_mask);
	}
	return true;
}

static void *copy_of(struct arena *arena, const void *from, size_t count, size_t size) {
	void *copy = from ? arena_alloc(arena, count + 1, size) : NULL;
	if (from) {
		memcpy(copy, from, count * size);
	}
	return copy;
}

/* A copy of a paint with all that is looked at when it is drawn. */
static const struct paint *copy_paint(const struct surface_job *job) {
	const struct paint *from = job->draw->paint;
	const struct rig *rig = job->draw->rig;
	struct paint *paint = arena_alloc(job->arena, 1, sizeof *paint);
	*paint = *from;
	paint->values = copy_of(job->arena, from->values,
		(size_t)rig->vertex_count * (size_t)from->width, sizeof *from->values);
	paint->of_primitives = copy_of(job->arena, from->of_primitives,
		(size_t)rig->primitive_count, sizeof *from->of_primitives);
	paint->ranges = copy_of(job->arena, from->ranges, from->range_count, sizeof *from->ranges);
	return paint;
}

/* The rig with the corners of a paint in the place of its own. */
static const struct rig *repaint_corners(const struct surface_job *job, const uint32_t *corners) {
	const struct rig *rig = job->draw->rig;
	struct rig *copy = arena_alloc(job->arena, 1, sizeof *copy);
	uint32_t *indices = arena_alloc(job->arena, (size_t)rig->index_count + 1, sizeof *indices);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const int end = primitive->first_index + primitive->index_count;
		for (int k = primitive->first_index; k < end; k++) {
			indices[k] = corners[k] - (uint32_t)primitive->first_vertex;
		}
	}
	*copy = *rig;
	copy->indices = indices;
	return copy;
}

/* --- Sets --- */

static bool fill_surface(
	const struct making *making, int i, struct raster_surface *out, struct error *err) {
	const struct draw_job *draw = making->job->draw;
	const struct primitive *primitive = &making->rig->primitives[i];
	const struct material *material = drawn_material(making->rig, primitive);
	const bool both_sides = making->paint && making->paint->both_sides;
	*out = (struct raster_surface){
		.one_sided = !material->double_sided && !both_sides &&
			primitive->topology == TOPOLOGY_TRIANGLES,
	};
	return making->paint  ? shade_paint(making, i, material, out, err)
		: draw->plain ? shade_plainly(making, primitive, material, out, err)
			      : shade_material(making, primitive, material, 0, out, err);
}

/* --- Outlines --- */

static bool has_outlines(const struct making *making) {
	const struct draw_job *draw = making->job->draw;
	bool any = false;
	for (int i = 0; !making->paint && !draw->plain && i < making->rig->primitive_count; i++) {
		const struct primitive *primitive = &making->rig->primitives[i];
		any |= primitive_has_outline(primitive, drawn_material(making->rig, primitive));
	}
	return any;
}

static bool fill_outline(const struct making *making, const struct primitive *primitive,
	struct raster_surface *out, struct error *err) {
	const struct material *material = drawn_material(making->rig, primitive);
	*out = (struct raster_surface){.one_sided = true};
	return !primitive_has_outline(primitive, material) ||
		shade_material(making, primitive, material, SHADED_OUTLINE, out, err);
}

static bool fill_outlines(const struct making *making, struct surface_set *out, struct error *err) {
	const size_t count = (size_t)making->rig->primitive_count;
	if (!has_outlines(making)) {
		return true;
	}
	struct raster_surface *outlines =
		arena_alloc(making->job->arena, count + 1, sizeof *outlines);
	for (size_t i = 0; i < count; i++) {
		if (!fill_outline(making, &making->rig->primitives[i], &outlines[i], err)) {
			return false;
		}
	}
	out->outlines = outlines;
	return true;
}

/* Adds those surfaces that show what lies behind them. */
static void add_transmissive(const struct making *making, struct surface_set *out) {
	const size_t count = (size_t)making->rig->primitive_count;
	if (making->paint || making->job->draw->plain || making->job->unmapped ||
		!rig_transmits(making->rig)) {
		return;
	}
	struct raster_surface *own = arena_alloc(making->job->arena, count + 1, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own[i] = out->surfaces[i];
		own[i].kind = primitive_pass(making->rig, &making->rig->primitives[i]) ==
				DRAW_TRANSMISSIVE
			? RASTER_OPAQUE
			: RASTER_HIDDEN;
	}
	out->transmissive = own;
}

bool surface_set_transmissive(const struct surface_set *set, const struct raster_figure *figure,
	struct raster_figure *out) {
	*out = *figure;
	out->surfaces = set->transmissive;
	return set->transmissive;
}

/* True when the mesh needs its positions for what it is shaded with. */
static bool wants_positions(
	const struct making *making, const struct raster_surface *surfaces, size_t count) {
	bool wanted = making->paint && raster_paint_wants_positions(making->paint);
	for (size_t i = 0; !making->paint && !making->job->draw->plain && i < count; i++) {
		const struct raster_material *material = surfaces[i].context;
		wanted |= (material->wants & RASTER_WANTS_POSITION) != 0;
	}
	return wanted;
}

bool surface_set_make(const struct surface_job *job, struct surface_set *out, struct error *err) {
	const struct draw_job *draw = job->draw;
	const size_t count = (size_t)draw->rig->primitive_count;
	struct raster_surface *surfaces = arena_alloc(job->arena, count + 1, sizeof *surfaces);
	const struct making making = {
		.job = job,
		.scene = make_scene(job),
		.paint = draw->paint ? copy_paint(job) : NULL,
		.rig = draw->paint && draw->paint->corners
			? repaint_corners(job, draw->paint->corners)
			: draw->rig,
	};
	for (size_t i = 0; i < count; i++) {
		if (!fill_surface(&making, (int)i, &surfaces[i], err)) {
			return false;
		}
	}
	*out = (struct surface_set){
		.draw = draw,
		.rig = making.rig,
		.surfaces = surfaces,
		.wants_positions = wants_positions(&making, surfaces, count),
	};
	add_transmissive(&making, out);
	if (!fill_outlines(&making, out, err)) {
		return false;
	}
	if (making.paint && raster_paint_is_mixed(making.paint)) {
		const size_t vertices = (size_t)draw->rig->vertex_count;
		float(*colors)[4] = arena_alloc(job->arena, vertices + 1, sizeof *colors);
		raster_paint_values(making.paint, draw->rig, colors);
		out->colors = colors[0];
	}
	return true;
}

struct raster_figure surface_set_figure(const struct surface_set *set,
	const struct surface_streams *streams, const bool *mirrored) {
	const struct draw_job *draw = set->draw;
	struct raster_figure figure = {
		.rig = set->rig,
		.surfaces = set->surfaces,
		.mirrored = mirrored,
		.positions = streams->positions,
		.normals = streams->normals,
		.tangents = draw->tangents ? streams->tangents : NULL,
		.colors = set->colors,
		.wants_positions = set->wants_positions,
	};
	memcpy(figure.view_projection, draw->view_projection, sizeof figure.view_projection);
	memcpy(figure.back, draw->back, sizeof figure.back);
	return figure;
}
