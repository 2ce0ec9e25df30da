/* Surfaces in other colours than their materials', in the terms of shaders/include/painting.glsl:
 * what struct paint of draw/paint.h says, and no more. */
#pragma once

#include "raster/plain.h"

/* The kinds of paint, by their fragment shaders. */
enum raster_paint {
	RASTER_PAINT_CG4M,
	RASTER_PAINT_CHECKER,
	RASTER_PAINT_COLORS,
	RASTER_PAINT_DEPTH,
	RASTER_PAINT_GHOST,
	RASTER_PAINT_IDS,
	RASTER_PAINT_MATCAP,
	RASTER_PAINT_NORMALS,
	RASTER_PAINT_SCALE,
	RASTER_PAINT_SILHOUETTE,
	RASTER_PAINT_COUNT,
};

/* The kind of a paint; RASTER_PAINT_COUNT = it is not known. */
enum raster_paint raster_paint_of(const struct paint *paint);

/* True when a kind mixes what vertices have: the figure's colours are to be [vertex_count][4], made
 * by raster_paint_values(), in the place of the rig's. The fourth is the alpha of the rig's, which
 * makes holes; no kind looks at the fourth value. */
bool raster_paint_is_mixed(const struct paint *paint);
void raster_paint_values(const struct paint *paint, const struct rig *rig, float (*out)[4]);

/* The context of paint_shade and paint_mask, of one primitive. */
struct raster_painting {
	enum raster_paint kind;
	const struct paint *paint;         // borrowed
	const struct primitive *primitive; // borrowed
	struct raster_plain surface;       // for its holes, and for what vertex light falls on
	float of_primitive;
	float scale[PAINT_COLORS][4]; // linear
	bool encoded;                 // numbers are written as light that is encoded to them
};

/* texture is that of the material's base colour; plain tells that the target takes numbers as they
 * are. */
void raster_painting_begin(struct raster_painting *painting, const struct raster_scene *scene,
	const struct rig *rig, int primitive, const struct paint *paint,
	const struct raster_texture *texture, bool plain);

/* Linear light, or of paint->bytes numbers; context is a struct raster_painting. */
raster_shade paint_shade, paint_shade_avx2, paint_shade_avx512;
raster_mask paint_mask, paint_mask_avx2, paint_mask_avx512;

/* True when the mesh needs its positions for a paint. */
bool raster_paint_wants_positions(const struct paint *paint);
