/* From a figure to the list of triangles that may be seen: vertices.c projects, gather.c lists
 * (clip.c and widen.c add vertices, sort.c orders what is blended), bins.c lists by squares of the
 * picture. Inside of raster/ only. */
#pragma once

#include "raster/pool.h"
#include "raster/raster.h"

/* --- What is projected --- */

/* Bits for what a vertex is outside of. */
enum vertex_flag {
	VERTEX_NEAR = 1,    // in front of the near plane, or behind the eye
	VERTEX_FAR = 2,     // behind the far plane
	VERTEX_AWAY = 4,    // outside of the guard band
	VERTEX_INVALID = 8, // not finite
};

/* A vertex as gathering reads it, in one piece. */
struct raster_place {
	int32_t x, y;   // as in its corner
	float depth;    // z / w / 2 + 1/2
	uint32_t flags; // of enum vertex_flag
};

/* Below this w there is no place in the picture. */
#define RASTER_LEAST_W 1e-20f

/* From clip space to the picture. */
struct raster_view {
	float matrix[16];       // column-major
	float half_x, half_y;   // half the picture in 1/256 pixel
	float guard_x, guard_y; // what lies at more than this many w is outside of the guard band
};

struct raster_view raster_view_of(
	const float matrix[static 16], const struct raster_target *target);

/* Arrays to be filled, with room for a multiple of 8 vertices. */
struct raster_vertices {
	struct raster_corner *corners;
	struct raster_place *places;
};

/* What is projected: [count]. */
struct raster_attributes {
	const float *positions; // [count][3]
	const float *normals;   // [count][3]; NULL = 0
	const float *texcoords; // [count][2]; NULL = 0
	size_t count;
};

/* Projects vertices; returns all their flags together. */
typedef unsigned raster_project_function(const struct raster_view *view,
	const struct raster_attributes *from, const struct raster_vertices *to);
raster_project_function raster_project, raster_project_avx2;

/* A position in clip space, and such a place in the picture; returns its flags. The bits are those
 * of raster_project(). */
void raster_to_clip(
	const struct raster_view *view, const float position[static 3], float clip[static 4]);
unsigned raster_from_clip(const struct raster_view *view, const float clip[static 4],
	struct raster_corner *corner, float *depth);

/* --- What may be seen --- */

/* A triangle's corners once more, in one piece, with the pixels of the picture that it may meet,
 * inclusive. */
struct raster_outline {
	int32_t x[3], y[3];
	float depth[3];
	uint16_t left, top, right, bottom;
	uint32_t flags; // of enum outline_flag
};

enum outline_flag {
	OUTLINE_SMALL =
		1,        // its corners are less than OUTLINE_SMALL_SIDE from one another, each way
	OUTLINE_BACK = 2, // its back is seen
};

#define OUTLINE_SMALL_SIDE (64 * RASTER_PIXEL)

/* Lists of triangles, one for each square of 1 << shift pixels. */
struct raster_bins {
	int shift, columns;
	const uint32_t *starts; // [bins + 1] into list
	const uint32_t *list;
};

/* An attribute of vertices besides those of corners. */
struct raster_attribute {
	float *values; // NULL = this mesh has none
	int width;
};
#define RASTER_ATTRIBUTES (TEXCOORD_SETS + 3)

/* A mesh while it grows. The mesh' own pointers are those of the vertices here. */
struct raster_growth {
	const struct raster_figure *figure;
	const struct raster_target *target;
	struct raster_view view;
	struct pool *pool;
	struct raster_mesh *mesh;
	struct raster_vertices vertices;
	struct raster_attribute attributes[RASTER_ATTRIBUTES];
	struct raster_triangle *triangles;
	struct raster_outline *outlines;
	uint32_t *starts; // [primitive_count + 1] in triangles, as gathered
	bool blended;     // the surfaces that are asked for are those, not the opaque ones
};

/* The triangles of a primitive. */
struct raster_run {
	const uint32_t *indices; // [count * 3]; NULL = every three vertices are one
	uint32_t first;          // vertex
	size_t count;
	int primitive;
	bool one_sided, mirrored;
};

/* Lists triangles of a run from a number on, as many at a time as there are lanes, as long as
 * nothing is to be cut off and none is large. Returns the number of the first that is left. */
typedef size_t raster_run_function(
	struct raster_growth *growth, const struct raster_run *run, size_t from);
raster_run_function raster_gather_run, raster_gather_run_avx2;

/* Projects a figure and lists those of its triangles that may be seen, in the file's order. */
bool raster_gather(struct raster_growth *growth, raster_project_function *project,
	raster_run_function *gather_run, const struct raster_surface *surfaces, struct error *err);

/* Samples lie in columns, and in rows, that are 1 << this from one another, in 1/256 pixel. */
static inline int raster_grid_shift(int samples) {
	return samples == 1 ? 8 : samples == 4 ? 6 : 5;
}

/* Lists a triangle unless it has no sample. */
void raster_gather_triangle(
	struct raster_growth *growth, const struct raster_triangle *triangle, bool one_sided);

/* Fills in the pixels that an outline may meet, and that it is small; false if no sample lies in
 * its box. */
bool raster_bound(const struct raster_target *target, struct raster_outline *outline);

/* Twice the area, positive where corners go round clockwise as one sees it. */
static inline int64_t raster_area(const struct raster_outline *outline) {
	const int32_t *x = outline->x, *y = outline->y;
	return (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
}

/* Adds a vertex that is like another but for its place; returns its number. */
uint32_t raster_copy_vertex(struct raster_growth *growth, uint32_t like, int32_t x, int32_t y);

/* Lists the parts of a triangle that crosses the near plane or reaches beyond the guard band. */
void raster_clip(
	struct raster_growth *growth, const struct raster_triangle *triangle, bool one_sided);

/* Replaces the ends of a line by those of its part inside; false if there is none. */
bool raster_clip_line(struct raster_growth *growth, uint32_t ends[static 2]);

/* Vertices and triangles that one triangle, or one line, may add when it is cut. */
#define CLIP_VERTICES 12
#define CLIP_TRIANGLES 7
#define CLIP_LINE_VERTICES 2

/* Lists a line as a rectangle one pixel wide, and a point as a square of three pixels. */
void raster_widen_line(struct raster_growth *growth, const struct raster_triangle *line);
void raster_widen_point(struct raster_growth *growth, const struct raster_triangle *point);
#define WIDEN_VERTICES (4 + CLIP_LINE_VERTICES)
#define WIDEN_TRIANGLES 2

/* Sorts what is blended: the farthest primitive first, and its farthest triangle. */
bool raster_sort(struct raster_growth *growth, struct error *err);

/* Lists outlines by squares of the picture, at least as large as tiles. */
bool raster_bin(struct pool *pool, const struct raster_target *target, int tile_shift,
	const struct raster_outline *outlines, size_t count, struct raster_bins *out,
	struct error *err);
