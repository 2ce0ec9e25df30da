/* Meshes and pictures for tests of the rasteriser. */
#pragma once

#include "raster/raster.h"
#include "raster/tiles.h"

/* A rig of triangles: [count * 3] of corners, in one primitive. */
struct scene_mesh {
	struct rig rig;
	struct primitive primitive;
	struct raster_surface surface;
};

/* indices may be NULL: every three vertices are one. All arrays are borrowed. */
void scene_mesh_init(struct scene_mesh *mesh, const float *positions, int vertex_count,
	const uint32_t *indices, int index_count);

/* A figure of the mesh, whose world is the picture: x and y in pixels from its upper left corner,
 * z the depth. Sizes that are powers of two make no error. */
struct raster_figure scene_figure(const struct scene_mesh *mesh, int width, int height);

/* The matrix alone. */
void scene_pixel_matrix(int width, int height, float matrix[static 16]);

/* Shades all fragments with one colour: context is float[4]. */
raster_shade scene_flat;

/* With the colour of a triangle's id: context is float[][4]. */
raster_shade scene_by_id;

/* With the id itself, as numbers of a plain target: red has the highest bits. */
raster_shade scene_ids;

/* The number of a plain pixel that scene_ids wrote; -1 = background, whose alpha is 0. */
int32_t scene_id_of(const unsigned char rgba[static 4]);

/* True where the processor has what kernels of 4, 8 or 16 lanes take. */
bool scene_has_lanes(int count);

/* The whole picture. */
unsigned char *scene_read(struct raster *raster, int width, int height);

/* A number in [0, 1) from *seed, which moves on. */
double scene_random(uint64_t *seed);
