// Cutting triangles and lines: at the near plane, and where they reach beyond the guard band.
#include <string.h>

#include "raster/geometry.h"

/* Numbers of a corner besides its place in clip space: normal, then the mesh's attributes. */
#define VALUES (3 + 2 + 3 + 4 + 2 * TEXCOORD_SETS + 4)

#define PLANES 6
#define CORNERS_MAX (3 + PLANES)
#define NEW_VERTEX UINT32_MAX

struct cut_corner {
	float clip[4];
	float values[VALUES];
	uint32_t vertex; // of the mesh, or NEW_VERTEX
};

struct cut_polygon {
	struct cut_corner corners[CORNERS_MAX];
	int count;
};

/* Positive inside, 0 on the plane. */
static float distance(const struct raster_view *view, const float clip[static 4], int plane) {
	switch (plane) {
	case 0:
		return clip[2] + clip[3];
	case 1:
		return clip[3] - RASTER_LEAST_W;
	case 2:
		return view->guard_x * clip[3] + clip[0];
	case 3:
		return view->guard_x * clip[3] - clip[0];
	case 4:
		return view->guard_y * clip[3] + clip[1];
	default:
		return view->guard_y * clip[3] - clip[1];
	}
}

static void read_corner(
	const struct raster_growth *growth, uint32_t vertex, struct cut_corner *out) {
	const struct raster_corner *corner = &growth->vertices.corners[vertex];
	*out = (struct cut_corner){.vertex = vertex};
	raster_to_clip(&growth->view, growth->figure->positions + (size_t)vertex * 3, out->clip);
	float *to = out->values;
	memcpy(to, corner->normal, sizeof corner->normal);
	to[3] = corner->u;
	to[4] = corner->v;
	to += 5;
	for (int i = 0; i < RASTER_ATTRIBUTES; i++) {
		const struct raster_attribute *attribute = &growth->attributes[i];
		if (attribute->values) {
			const size_t width = (size_t)attribute->width;
			memcpy(to, attribute->values + (size_t)vertex * width, width * sizeof *to);
			to += width;
		}
	}
}

/* Appends a corner to the mesh unless it is there; false if it has no place in the picture. */
static bool write_corner(struct raster_growth *growth, struct cut_corner *corner) {
	if (corner->vertex != NEW_VERTEX) {
		return true;
	}
	struct raster_mesh *mesh = growth->mesh;
	const size_t at = mesh->vertex_count;
	struct raster_corner *to = &growth->vertices.corners[at];
	float depth;
	const unsigned flags = raster_from_clip(&growth->view, corner->clip, to, &depth);
	const float *from = corner->values;
	if (flags & VERTEX_INVALID || !(corner->clip[3] > 0)) {
		return false;
	}
	memcpy(to->normal, from, sizeof to->normal);
	to->u = from[3];
	to->v = from[4];
	from += 5;
	for (int i = 0; i < RASTER_ATTRIBUTES; i++) {
		const struct raster_attribute *attribute = &growth->attributes[i];
		if (attribute->values) {
			const size_t width = (size_t)attribute->width;
			memcpy(attribute->values + at * width, from, width * sizeof *from);
			from += width;
		}
	}
	growth->vertices.places[at] = (struct raster_place){to->x, to->y, depth, 0};
	corner->vertex = (uint32_t)at;
	mesh->vertex_count++;
	return true;
}

/* The point where an edge leaves; from its end inside, so that neighbours find the same. */
static struct cut_corner cut(
	const struct cut_corner *inside, const struct cut_corner *outside, float in, float out) {
	const float t = in / (in - out);
	struct cut_corner corner = {.vertex = NEW_VERTEX};
	for (int i = 0; i < 4; i++) {
		corner.clip[i] = inside->clip[i] + t * (outside->clip[i] - inside->clip[i]);
	}
	for (int i = 0; i < VALUES; i++) {
		corner.values[i] = inside->values[i] + t * (outside->values[i] - inside->values[i]);
	}
	return corner;
}

static void cut_at(const struct raster_view *view, int plane, const struct cut_polygon *from,
	struct cut_polygon *to) {
	to->count = 0;
	for (int i = 0; i < from->count; i++) {
		const struct cut_corner *a = &from->corners[i];
		const struct cut_corner *b = &from->corners[(i + 1) % from->count];
		const float at_a = distance(view, a->clip, plane);
		const float at_b = distance(view, b->clip, plane);
		if (at_a >= 0 && to->count < CORNERS_MAX) {
			to->corners[to->count++] = *a;
		}
		if ((at_a >= 0) != (at_b >= 0) && to->count < CORNERS_MAX) {
			to->corners[to->count++] =
				at_a >= 0 ? cut(a, b, at_a, at_b) : cut(b, a, at_b, at_a);
		}
	}
}

void raster_clip(
	struct raster_growth *growth, const struct raster_triangle *triangle, bool one_sided) {
	struct cut_polygon polygons[2] = {{.count = 3}};
	for (int i = 0; i < 3; i++) {
		read_corner(growth, triangle->corners[i], &polygons[0].corners[i]);
	}
	for (int plane = 0; plane < PLANES; plane++) {
		cut_at(&growth->view, plane, &polygons[plane % 2], &polygons[(plane + 1) % 2]);
	}
	struct cut_polygon *left = &polygons[PLANES % 2];
	for (int i = 0; i < left->count; i++) {
		if (!write_corner(growth, &left->corners[i])) {
			return;
		}
	}
	for (int i = 2; i < left->count; i++) {
		struct raster_triangle part = *triangle;
		part.corners[0] = left->corners[0].vertex;
		part.corners[1] = left->corners[i - 1].vertex;
		part.corners[2] = left->corners[i].vertex;
		raster_gather_triangle(growth, &part, one_sided);
	}
}

bool raster_clip_line(struct raster_growth *growth, uint32_t ends[static 2]) {
	struct cut_corner corners[2];
	for (int i = 0; i < 2; i++) {
		read_corner(growth, ends[i], &corners[i]);
	}
	for (int plane = 0; plane < PLANES; plane++) {
		const float at_start = distance(&growth->view, corners[0].clip, plane);
		const float at_end = distance(&growth->view, corners[1].clip, plane);
		if (!(at_start >= 0) && !(at_end >= 0)) {
			return false;
		}
		if (!(at_start >= 0)) {
			corners[0] = cut(&corners[1], &corners[0], at_end, at_start);
		} else if (!(at_end >= 0)) {
			corners[1] = cut(&corners[0], &corners[1], at_start, at_end);
		}
	}
	if (!write_corner(growth, &corners[0]) || !write_corner(growth, &corners[1])) {
		return false;
	}
	ends[0] = corners[0].vertex;
	ends[1] = corners[1].vertex;
	return true;
}
