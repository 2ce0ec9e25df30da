// Lines and points as triangles.
#include <math.h>
#include <string.h>

#include "raster/geometry.h"

#define HALF_LINE (RASTER_PIXEL / 2)
#define HALF_POINT (RASTER_PIXEL * 3 / 2)

uint32_t raster_copy_vertex(struct raster_growth *growth, uint32_t like, int32_t x, int32_t y) {
	const struct raster_vertices *vertices = &growth->vertices;
	const uint32_t at = (uint32_t)growth->mesh->vertex_count++;
	vertices->corners[at] = vertices->corners[like];
	vertices->corners[at].x = x;
	vertices->corners[at].y = y;
	vertices->places[at] = (struct raster_place){x, y, vertices->places[like].depth, 0};
	for (int i = 0; i < RASTER_ATTRIBUTES; i++) {
		const struct raster_attribute *attribute = &growth->attributes[i];
		const size_t width = (size_t)attribute->width;
		if (attribute->values) {
			memcpy(attribute->values + at * width, attribute->values + like * width,
				width * sizeof *attribute->values);
		}
	}
	return at;
}

/* Lists two triangles with corners in this order around them; they are never seen from behind. */
static void gather_square(struct raster_growth *growth, const struct raster_triangle *like,
	const uint32_t corners[static 4]) {
	struct raster_mesh *mesh = growth->mesh;
	for (uint32_t i = 2; i < 4; i++) {
		struct raster_triangle half = *like;
		const size_t before = mesh->triangle_count;
		half.corners[0] = corners[0];
		half.corners[1] = corners[i - 1];
		half.corners[2] = corners[i];
		raster_gather_triangle(growth, &half, false);
		if (mesh->triangle_count > before) {
			growth->triangles[before].back = false;
		}
	}
}

void raster_widen_point(struct raster_growth *growth, const struct raster_triangle *point) {
	static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	const uint32_t middle = point->corners[0];
	const struct raster_place at = growth->vertices.places[middle];
	uint32_t corners[4];
	for (int i = 0; i < 4; i++) {
		corners[i] = raster_copy_vertex(growth, middle, at.x + sides[i][0] * HALF_POINT,
			at.y + sides[i][1] * HALF_POINT);
	}
	gather_square(growth, point, corners);
}

struct offset {
	int32_t x, y;
};

/* Half a pixel across a line: the direction turned by a quarter. */
static struct offset across(struct raster_place from, struct raster_place to) {
	const float x = (float)(to.x - from.x), y = (float)(to.y - from.y);
	const float length = sqrtf(x * x + y * y);
	if (!(length > 0)) {
		return (struct offset){0, HALF_LINE};
	}
	const float scale = HALF_LINE / length;
	return (struct offset){(int32_t)(-y * scale), (int32_t)(x * scale)};
}

void raster_widen_line(struct raster_growth *growth, const struct raster_triangle *line) {
	const uint32_t from = line->corners[0], to = line->corners[1];
	const struct raster_place a = growth->vertices.places[from];
	const struct raster_place b = growth->vertices.places[to];
	const struct offset side = across(a, b);
	const uint32_t corners[4] = {
		raster_copy_vertex(growth, from, a.x - side.x, a.y - side.y),
		raster_copy_vertex(growth, to, b.x - side.x, b.y - side.y),
		raster_copy_vertex(growth, to, b.x + side.x, b.y + side.y),
		raster_copy_vertex(growth, from, a.x + side.x, a.y + side.y),
	};
	gather_square(growth, line, corners);
}
