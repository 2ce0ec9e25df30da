// The paint of surfaces.
#include "raster/painting.h"

#include <string.h>

/* Alpha below which nothing of a blended surface would be seen. */
#define MIN_ALPHA (0.5F / 255)

/* wants is of enum raster_wants; mixed: values are mixed over triangles. */
static const struct {
	const char *shader;
	bool mixed, positions;
} kinds[RASTER_PAINT_COUNT] = {
	[RASTER_PAINT_CG4M] = {"paint_cg4m.frag", false, true},
	[RASTER_PAINT_CHECKER] = {"paint_checker.frag", true, false},
	[RASTER_PAINT_COLORS] = {"paint_colors.frag", true, false},
	[RASTER_PAINT_DEPTH] = {"paint_depth.frag", false, true},
	[RASTER_PAINT_GHOST] = {"paint_ghost.frag", false, false},
	[RASTER_PAINT_IDS] = {"paint_ids.frag", false, false},
	[RASTER_PAINT_MATCAP] = {"paint_matcap.frag", false, false},
	[RASTER_PAINT_NORMALS] = {"paint_normals.frag", false, false},
	[RASTER_PAINT_SCALE] = {"paint_scale.frag", true, false},
	[RASTER_PAINT_SILHOUETTE] = {"paint_silhouette.frag", false, false},
};

enum raster_paint raster_paint_of(const struct paint *paint) {
	int i = 0;
	while (i < RASTER_PAINT_COUNT && strcmp(kinds[i].shader, paint->shader) != 0) {
		i++;
	}
	return (enum raster_paint)i;
}

bool raster_paint_is_mixed(const struct paint *paint) {
	return paint->values && kinds[raster_paint_of(paint)].mixed;
}

bool raster_paint_wants_positions(const struct paint *paint) {
	return kinds[raster_paint_of(paint)].positions;
}

void raster_paint_values(const struct paint *paint, const struct rig *rig, float (*out)[4]) {
	for (size_t i = 0; i < (size_t)rig->vertex_count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i][k] = k < paint->width
				? paint->values[i * (size_t)paint->width + (size_t)k]
				: 0;
		}
		out[i][3] = rig->colors ? rig->colors[i * 4 + 3] : 1;
	}
}

static void take_scale(struct raster_painting *painting, const unsigned char (*scale)[4]) {
	for (int i = 0; i < PAINT_COLORS; i++) {
		for (int k = 0; k < 3; k++) {
			painting->scale[i][k] = (float)tables_linear[scale[i][k]] / 65535;
		}
	}
}

void raster_painting_begin(struct raster_painting *painting, const struct raster_scene *scene,
	const struct rig *rig, int primitive, const struct paint *paint,
	const struct raster_texture *texture, bool plain) {
	const struct primitive *drawn = &rig->primitives[primitive];
	const struct material *material = drawn_material(rig, drawn);
	painting->kind = raster_paint_of(paint);
	painting->encoded = paint->bytes && !plain;
	painting->paint = paint;
	painting->primitive = drawn;
	painting->of_primitive = paint->of_primitives ? paint->of_primitives[primitive] : 0;
	raster_plain_begin(&painting->surface, scene, material, texture, drawn->unlit);
	painting->surface.colors = raster_paint_is_mixed(paint) ? PLAIN_ALPHA : PLAIN_COLORS;
	if (material->alpha_mode == ALPHA_BLEND) {
		painting->surface.hole = MIN_ALPHA;
		painting->surface.least = 1;
	}
	if (paint->scale) {
		take_scale(painting, paint->scale);
	}
}
