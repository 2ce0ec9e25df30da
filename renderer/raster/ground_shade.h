/* Colours of the ground: kernels. */
#pragma once

#include "raster/mesh.h"

/* A grid: shaders/ground_grid.frag. The mesh's texture coordinates are the place in units, and the
 * place on the square from -1 to 1. */
struct ground_lines {
	float lightness, strength;
	float middle[2]; // of the world, in units
};

/* A shadow: shaders/ground_shadow.frag. The mesh's texture coordinates are places on the map. */
struct ground_map {
	int side;
	const float (*shades)[2]; // [side][side] nearness for contact and for proximity, [0, 1]
};

raster_shade ground_grid_shade, ground_grid_shade_avx2, ground_grid_shade_avx512;
raster_shade ground_shadow_shade, ground_shadow_shade_avx2, ground_shadow_shade_avx512;
/* Shadow casters: nearness to the ground as red and green; context is struct ground_falloff.
 */
raster_shade ground_cast_shade, ground_cast_shade_avx2, ground_cast_shade_avx512;

struct ground_falloff {
	float height;      // of the ground
	float touch, near; // how near surfaces must be for each, as 1 / height
};
