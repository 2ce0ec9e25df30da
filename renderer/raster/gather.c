// The triangles of a figure that may be seen.
#include <assert.h>
#include <string.h>

#include "raster/geometry.h"

static inline int32_t least(int32_t a, int32_t b) {
	return a < b ? a : b;
}

static inline int32_t greatest(int32_t a, int32_t b) {
	return a > b ? a : b;
}

/* The pixels from the first to the last column with a sample between two places. */
static inline bool bound(
	int32_t from, int32_t to, int shift, int size, uint16_t *first, uint16_t *last) {
	const int32_t offset = 1 << (shift - 1);
	const int32_t least_column = greatest((from + offset - 1) >> shift, 0);
	const int32_t most_column = least((to - offset) >> shift, (size << (8 - shift)) - 1);
	*first = (uint16_t)(least_column >> (8 - shift));
	*last = (uint16_t)(most_column >> (8 - shift));
	return least_column <= most_column;
}

static inline bool bound_outline(
	const struct raster_target *target, struct raster_outline *outline) {
	const int shift = raster_grid_shift(target->samples);
	const int32_t *x = outline->x, *y = outline->y;
	const int32_t left = least(x[0], least(x[1], x[2]));
	const int32_t right = greatest(x[0], greatest(x[1], x[2]));
	const int32_t top = least(y[0], least(y[1], y[2]));
	const int32_t bottom = greatest(y[0], greatest(y[1], y[2]));
	const bool across =
		bound(left, right, shift, target->width, &outline->left, &outline->right);
	const bool down =
		bound(top, bottom, shift, target->height, &outline->top, &outline->bottom);
	const bool small =
		(right - left < OUTLINE_SMALL_SIDE) & (bottom - top < OUTLINE_SMALL_SIDE);
	outline->flags |= small ? OUTLINE_SMALL : 0;
	return across & down;
}

bool raster_bound(const struct raster_target *target, struct raster_outline *outline) {
	return bound_outline(target, outline);
}

/* The remainder is written first, then counted: whether a sample lies in its box
 * no one can predict. */
static inline void gather(struct raster_growth *growth, struct raster_triangle triangle,
	bool one_sided, bool mirrored) {
	struct raster_mesh *mesh = growth->mesh;
	const struct raster_place a = growth->vertices.places[triangle.corners[0]];
	const struct raster_place b = growth->vertices.places[triangle.corners[1]];
	const struct raster_place c = growth->vertices.places[triangle.corners[2]];
	const int64_t area =
		(int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(c.x - a.x) * (b.y - a.y);
	triangle.back = (area > 0) != mirrored;
	if (area == 0 || (one_sided && triangle.back)) {
		return;
	}
	struct raster_outline *outline = &growth->outlines[mesh->triangle_count];
	*outline = (struct raster_outline){
		.x = {a.x, b.x, c.x},
		.y = {a.y, b.y, c.y},
		.depth = {a.depth, b.depth, c.depth},
		.flags = triangle.back ? OUTLINE_BACK : 0,
	};
	growth->triangles[mesh->triangle_count] = triangle;
	mesh->triangle_count += bound_outline(growth->target, outline);
}

static bool is_mirrored(const struct raster_growth *growth, int primitive) {
	const bool *mirrored = growth->figure->mirrored;
	return mirrored && mirrored[primitive];
}

void raster_gather_triangle(
	struct raster_growth *growth, const struct raster_triangle *triangle, bool one_sided) {
	gather(growth, *triangle, one_sided, is_mirrored(growth, (int)triangle->primitive));
}

/* --- Primitives --- */

static int corner_count(const struct primitive *primitive) {
	return primitive->index_count > 0 ? primitive->index_count : primitive->vertex_count;
}

/* The i-th corner of a primitive, as a vertex of the rig. */
static inline uint32_t corner(const uint32_t *indices, uint32_t first, size_t i) {
	return indices ? indices[i] + first : (uint32_t)i + first;
}

static const uint32_t *indices_of(const struct rig *rig, const struct primitive *primitive) {
	return primitive->index_count > 0 ? rig->indices + primitive->first_index : NULL;
}

static const int corners_of[] = {
	[TOPOLOGY_TRIANGLES] = 3, [TOPOLOGY_LINES] = 2, [TOPOLOGY_POINTS] = 1};

static int piece_count(const struct primitive *primitive) {
	return corner_count(primitive) / corners_of[primitive->topology];
}

#define CUT (VERTEX_NEAR | VERTEX_AWAY)
#define OUTSIDE (VERTEX_NEAR | VERTEX_FAR)

enum fate { KEPT, CLIPPED, DROPPED };

/* The fate of a piece by the flags that any and that all of its vertices have. */
static inline enum fate fate_of(unsigned any, unsigned all) {
	if (any & VERTEX_INVALID || all & OUTSIDE) {
		return DROPPED;
	}
	return any & CUT ? CLIPPED : KEPT;
}

static enum fate fate_at(const struct raster_place *places, const uint32_t *indices, uint32_t first,
	size_t at, int corners) {
	unsigned any = 0, all = UINT8_MAX;
	for (int i = 0; i < corners; i++) {
		const unsigned flag = places[corner(indices, first, at + (size_t)i)].flags;
		any |= flag;
		all &= flag;
	}
	return fate_of(any, all);
}

/* One triangle, whatever there is about it. */
static void gather_one(struct raster_growth *growth, const struct raster_run *run, size_t i) {
	const struct raster_place *places = growth->vertices.places;
	const uint32_t a = corner(run->indices, run->first, i * 3);
	const uint32_t b = corner(run->indices, run->first, i * 3 + 1);
	const uint32_t c = corner(run->indices, run->first, i * 3 + 2);
	const struct raster_triangle triangle = {
		.corners = {a, b, c},
		.provoking = c,
		.id = (uint32_t)i,
		.primitive = (uint32_t)run->primitive & INT32_MAX,
	};
	const unsigned any = places[a].flags | places[b].flags | places[c].flags;
	const unsigned all = places[a].flags & places[b].flags & places[c].flags;
	const enum fate fate = fate_of(any, all);
	if (fate == KEPT) {
		gather(growth, triangle, run->one_sided, run->mirrored);
	} else if (fate == CLIPPED) {
		raster_clip(growth, &triangle, run->one_sided);
	}
}

/* Triangles that are looked at one by one where a group of them is not of the simple kind. */
#define GROUP 8

static void gather_triangles(struct raster_growth *growth, raster_run_function *gather_run,
	int number, const struct raster_surface *surface) {
	const struct primitive *primitive = &growth->figure->rig->primitives[number];
	const struct raster_run run = {
		.indices = indices_of(growth->figure->rig, primitive),
		.first = (uint32_t)primitive->first_vertex,
		.count = (size_t)piece_count(primitive),
		.primitive = number,
		.one_sided = surface->one_sided,
		.mirrored = is_mirrored(growth, number),
	};
	for (size_t i = 0; i < run.count;) {
		i = gather_run(growth, &run, i);
		const size_t end = i + GROUP < run.count ? i + GROUP : run.count;
		for (; i < end; i++) {
			gather_one(growth, &run, i);
		}
	}
}

/* Lines and points. */
static void gather_others(struct raster_growth *growth, int number) {
	const struct rig *rig = growth->figure->rig;
	const struct primitive *primitive = &rig->primitives[number];
	const uint32_t *indices = indices_of(rig, primitive);
	const uint32_t first = (uint32_t)primitive->first_vertex;
	const int corners = corners_of[primitive->topology];
	const size_t count = (size_t)piece_count(primitive);
	for (size_t i = 0; i < count; i++) {
		const size_t at = i * (size_t)corners;
		struct raster_triangle piece = {
			.corners = {corner(indices, first, at),
				corner(indices, first, at + (size_t)corners - 1)},
			.provoking = corner(indices, first, at + (size_t)corners - 1),
			.id = (uint32_t)i,
			.primitive = (uint32_t)number & INT32_MAX,
		};
		const enum fate fate =
			fate_at(growth->vertices.places, indices, first, at, corners);
		if (corners == 2 &&
			(fate == KEPT ||
				(fate == CLIPPED && raster_clip_line(growth, piece.corners)))) {
			raster_widen_line(growth, &piece);
		} else if (corners == 1 && fate == KEPT) {
			raster_widen_point(growth, &piece);
		}
	}
}

/* --- Room --- */

struct room {
	size_t vertices, triangles; // more than the figure has vertices, and pieces
};

/* The most that a primitive adds. */
static void count_primitive(const struct raster_growth *growth, const struct primitive *primitive,
	unsigned any, struct room *room) {
	const size_t count = (size_t)piece_count(primitive);
	const int corners = corners_of[primitive->topology];
	if (corners < 3) {
		room->vertices += count * WIDEN_VERTICES;
		room->triangles += count * WIDEN_TRIANGLES;
		return;
	}
	room->triangles += count;
	const uint32_t *indices = indices_of(growth->figure->rig, primitive);
	for (size_t i = 0; any & CUT && i < count; i++) {
		if (fate_at(growth->vertices.places, indices, (uint32_t)primitive->first_vertex,
			    i * 3, 3) == CLIPPED) {
			room->vertices += CLIP_VERTICES;
			room->triangles += CLIP_TRIANGLES;
		}
	}
}

static bool is_wanted(const struct raster_growth *growth, const struct raster_surface *surface) {
	return surface->kind == (growth->blended ? RASTER_BLENDED : RASTER_OPAQUE);
}

static bool take_vertices(
	struct pool *pool, size_t count, struct raster_vertices *out, struct error *err) {
	const size_t room = (count + 7) & ~(size_t)7;
	*out = (struct raster_vertices){
		.corners = pool_take(pool, room, sizeof *out->corners, err),
		.places = pool_take(pool, room, sizeof *out->places, err),
	};
	return out->corners && out->places;
}

static bool widen_vertices(struct raster_growth *growth, size_t more, struct error *err) {
	const size_t count = growth->mesh->vertex_count;
	const struct raster_vertices old = growth->vertices;
	if (more == 0) {
		return true;
	}
	if (!take_vertices(growth->pool, count + more, &growth->vertices, err)) {
		return false;
	}
	const struct raster_vertices *to = &growth->vertices;
	memcpy(to->corners, old.corners, count * sizeof *old.corners);
	memcpy(to->places, old.places, count * sizeof *old.places);
	return true;
}

/* Copies an attribute that clipping adds to, or whose memory may be overwritten; others are
 * borrowed. */
static bool take_attribute(struct raster_growth *growth, int at, const float *from, int width,
	size_t more, bool copied, const float **out, struct error *err) {
	*out = from;
	growth->attributes[at] = (struct raster_attribute){.width = width};
	if (!from || (more == 0 && !copied)) {
		return true;
	}
	const size_t count = growth->mesh->vertex_count, size = (size_t)width * sizeof(float);
	float *values = pool_take(growth->pool, count + more, size, err);
	if (!values) {
		return false;
	}
	memcpy(values, from, count * size);
	growth->attributes[at].values = values;
	*out = values;
	return true;
}

static bool take_attributes(struct raster_growth *growth, size_t more, struct error *err) {
	const struct raster_figure *figure = growth->figure;
	struct raster_mesh *mesh = growth->mesh;
	const float *positions = figure->wants_positions ? figure->positions : NULL;
	const float *colors = figure->colors ? figure->colors : figure->rig->colors;
	for (int i = 0; i < TEXCOORD_SETS; i++) {
		if (!take_attribute(growth, i, figure->rig->texcoords[i], 2, more, false,
			    &mesh->texcoords[i], err)) {
			return false;
		}
	}
	const int next = TEXCOORD_SETS;
	return take_attribute(growth, next, positions, 3, more, true, &mesh->positions, err) &&
		take_attribute(
			growth, next + 1, figure->tangents, 4, more, true, &mesh->tangents, err) &&
		take_attribute(growth, next + 2, colors, 4, more, figure->colors != NULL,
			&mesh->colors, err);
}

static bool take_room(struct raster_growth *growth, unsigned any,
	const struct raster_surface *surfaces, struct error *err) {
	const struct rig *rig = growth->figure->rig;
	struct room room = {0};
	for (int i = 0; i < rig->primitive_count; i++) {
		if (is_wanted(growth, &surfaces[i])) {
			count_primitive(growth, &rig->primitives[i], any, &room);
		}
	}
	if (room.vertices > UINT32_MAX - growth->mesh->vertex_count) {
		return error_set(err, ERROR_TOO_LARGE, "the figure has too many vertices");
	}
	growth->triangles =
		pool_take(growth->pool, room.triangles + 1, sizeof *growth->triangles, err);
	growth->outlines =
		pool_take(growth->pool, room.triangles + 1, sizeof *growth->outlines, err);
	growth->starts = pool_take(
		growth->pool, (size_t)rig->primitive_count + 1, sizeof *growth->starts, err);
	return growth->triangles && growth->outlines && growth->starts &&
		widen_vertices(growth, room.vertices, err) &&
		take_attributes(growth, room.vertices, err);
}

bool raster_gather(struct raster_growth *growth, raster_project_function *project,
	raster_run_function *gather_run, const struct raster_surface *surfaces, struct error *err) {
	const struct raster_figure *figure = growth->figure;
	const struct rig *rig = figure->rig;
	struct raster_mesh *mesh = growth->mesh;
	const struct raster_attributes from = {
		.positions = figure->positions,
		.normals = figure->normals,
		.texcoords = rig->texcoords[0],
		.count = (size_t)rig->vertex_count,
	};
	mesh->vertex_count = from.count;
	if (!take_vertices(growth->pool, from.count, &growth->vertices, err)) {
		return false;
	}
	const unsigned any = project(&growth->view, &from, &growth->vertices);
	if (!take_room(growth, any, surfaces, err)) {
		return false;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		growth->starts[i] = (uint32_t)mesh->triangle_count;
		if (!is_wanted(growth, &surfaces[i])) {
			continue;
		}
		if (rig->primitives[i].topology == TOPOLOGY_TRIANGLES) {
			gather_triangles(growth, gather_run, i, &surfaces[i]);
		} else {
			gather_others(growth, i);
		}
	}
	growth->starts[rig->primitive_count] = (uint32_t)mesh->triangle_count;
	mesh->corners = growth->vertices.corners;
	mesh->triangles = growth->triangles;
	return true;
}
