/* Data that the passes of the rasteriser hand on: a projected mesh, its visible triangles, and
 * fragments on their way to be shaded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rig.h"

/* Places in the picture are in 1/256 pixel, to the right and downwards from its upper left corner;
 * none is more than RASTER_GUARD away from it. */
#define RASTER_PIXEL 256
#define RASTER_GUARD (1 << 22)

/* A vertex as it is seen: 32 bytes. */
struct raster_corner {
	int32_t x, y;
	float inverse_w;
	float u;         // first set of texture coordinates; 0 without any
	float normal[3]; // as skinned, in the world; not unit once mixed
	float v;
};

/* A triangle that may be seen. */
struct raster_triangle {
	uint32_t corners[3]; // vertices in the file's order
	uint32_t provoking;  // the vertex whose flat attributes it has: its last one in the file
	uint32_t id;         // of the file's triangle, line or point within its primitive
	uint32_t primitive : 31; // of mesh->rig
	uint32_t back : 1;       // its back is seen
};

/* The part of a figure that is projected. Arrays count the rig's vertices first, then those that
 * clipping added, whose attributes are mixed in clip space: a + t (b - a). */
struct raster_mesh {
	const struct rig *rig; // borrowed from whoever draws, until the picture is read
	const bool *mirrored;  // [rig->primitive_count] its pose turns it inside out
	size_t vertex_count;
	const struct raster_corner *corners; // [vertex_count]
	const float *positions;              // [vertex_count][3] in the world; NULL = not asked for
	const float *tangents;               // [vertex_count][4] likewise
	const float *texcoords[TEXCOORD_SETS]; // [vertex_count][2]; NULL = none
	const float *colors;                   // [vertex_count][4]; NULL = none
	const struct raster_triangle *triangles;
	size_t triangle_count;
};

/* The most lanes of a kernel. */
#define RASTER_PADDED 16

/* The most fragments that are shaded at once; a multiple of RASTER_PADDED. */
#define RASTER_QUEUE 128

/* Fragments of one primitive. Entries from count to the next multiple of the lanes of the kernels
 * that shade them, which is at most RASTER_PADDED, repeat one of the others, so that a stage may
 * work on whole registers; their results are not looked at. */
struct raster_fragments {
	const struct raster_mesh *mesh;
	int primitive;
	int count;                                // 1 to RASTER_QUEUE
	uint32_t triangle[RASTER_QUEUE];          // in mesh->triangles
	int32_t x[RASTER_QUEUE], y[RASTER_QUEUE]; // the place where it is shaded
};

/* Linear light premultiplied by alpha; of a plain target, the numbers themselves. */
struct raster_colors {
	float red[RASTER_QUEUE], green[RASTER_QUEUE], blue[RASTER_QUEUE], alpha[RASTER_QUEUE];
};

/* Shades fragments. A fragment's colour depends on nothing but that fragment. */
typedef void raster_shade(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out);

/* Tells holes of a masked surface: solid[i] = false where fragment i is one. */
typedef void raster_mask(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]);
