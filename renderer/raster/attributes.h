/* Attributes of fragments: those of their corners mixed with perspective, and how they
 * change from a pixel to the next, both in closed form.
 * Source: Burns, Hunt. The Visibility Buffer. JCGT 2013, appendix A. */
#pragma once

#include "raster/texture.h"

/* Attributes that are only mixed where they are wanted. */
enum raster_wants {
	RASTER_WANTS_SECOND = 1 << 0,           // the second texture coordinates
	RASTER_WANTS_COLOR = 1 << 1,            // of vertices
	RASTER_WANTS_COLOR_CHANGES = 1 << 2,    // with COLOR
	RASTER_WANTS_POSITION = 1 << 3,         // in the world
	RASTER_WANTS_POSITION_CHANGES = 1 << 4, // with POSITION
	RASTER_WANTS_TANGENT = 1 << 5,
};

/* Changes are those for a pixel to the right, and for one downwards. */
struct raster_attributes {
	int count;                      // a multiple of the lanes
	float weights[3][RASTER_QUEUE]; // of the corners
	/* The changes of the first two weights; that of the third is less both. */
	float right[2][RASTER_QUEUE], down[2][RASTER_QUEUE];
	float x[RASTER_QUEUE], y[RASTER_QUEUE];     // the fragment's place, in 1/256 pixel
	float front[RASTER_QUEUE];                  // 1; or -1 where the surface's back is seen
	float normal[3][RASTER_QUEUE];              // in the world, as vertices have it, not unit
	struct raster_places places[TEXCOORD_SETS]; // 0 where the mesh has none
	float color[4][RASTER_QUEUE], color_right[4][RASTER_QUEUE], color_down[4][RASTER_QUEUE];
	float position[3][RASTER_QUEUE], position_right[3][RASTER_QUEUE],
		position_down[3][RASTER_QUEUE];
	/* Of vertices unit, along u and against v. */
	float tangent[3][RASTER_QUEUE], bitangent[3][RASTER_QUEUE];
};

/* wants are bits of enum raster_wants; what is wanted and not in the mesh is 1 for colours, else 0.
 */
typedef void raster_attributes_function(
	const struct raster_fragments *fragments, unsigned wants, struct raster_attributes *out);
raster_attributes_function attributes_mix, attributes_mix_avx2, attributes_mix_avx512;
