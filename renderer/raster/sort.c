// The order in which what one can see through is drawn.
#include <stdlib.h>

#include "draw/back_to_front.h"
#include "raster/geometry.h"

struct sorted {
	int order; // of its surface
	bool writes_depth;
	double primitive_depth;
	uint32_t primitive;
	uint32_t at;                      // in the list before
	struct back_to_front_piece piece; // of the file, whatever was cut off
};

static int compare(uint32_t a, uint32_t b) {
	return (a > b) - (a < b);
}

/* A total order: parts of one triangle go by their number. */
static int farthest_first(const void *a, const void *b) {
	const struct sorted *x = a, *y = b;
	if (x->order != y->order) {
		return x->order < y->order ? -1 : 1;
	}
	if (x->primitive_depth != y->primitive_depth) {
		return x->primitive_depth < y->primitive_depth ? 1 : -1;
	}
	if (x->primitive != y->primitive) {
		return compare(x->primitive, y->primitive);
	}
	const int pieces = x->writes_depth ? 0 : back_to_front_compare(&x->piece, &y->piece);
	return pieces ? pieces : compare(x->at, y->at);
}

/* Puts triangles and outlines into the order of a list. */
static bool reorder(struct raster_growth *growth, const struct sorted *order, struct error *err) {
	const size_t count = growth->mesh->triangle_count;
	struct raster_triangle *triangles = pool_take(growth->pool, count, sizeof *triangles, err);
	struct raster_outline *outlines = pool_take(growth->pool, count, sizeof *outlines, err);
	if (!triangles || !outlines) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		triangles[i] = growth->triangles[order[i].at];
		outlines[i] = growth->outlines[order[i].at];
	}
	growth->triangles = triangles;
	growth->outlines = outlines;
	growth->mesh->triangles = triangles;
	return true;
}

bool raster_sort(struct raster_growth *growth, struct error *err) {
	const struct raster_figure *figure = growth->figure;
	const struct back_to_front_view view = {figure->rig, figure->positions, figure->back};
	const size_t count = growth->mesh->triangle_count;
	struct sorted *order = pool_take(growth->pool, count, sizeof *order, err);
	if (!order) {
		return false;
	}
	double primitive_depth = 0;
	for (size_t i = 0; i < count; i++) {
		const struct raster_triangle *triangle = &growth->triangles[i];
		const struct primitive *primitive = &figure->rig->primitives[triangle->primitive];
		if (i == 0 || triangle->primitive != growth->triangles[i - 1].primitive) {
			primitive_depth = back_to_front_depth(&view, primitive);
		}
		const struct raster_surface *surface = &figure->surfaces[triangle->primitive];
		order[i] = (struct sorted){
			.order = surface->order,
			.writes_depth = surface->writes_depth,
			.primitive_depth = primitive_depth,
			.primitive = triangle->primitive,
			.at = (uint32_t)i,
			.piece = back_to_front_piece_of(&view, primitive, triangle->id),
		};
	}
	qsort(order, count, sizeof *order, farthest_first);
	return reorder(growth, order, err);
}
