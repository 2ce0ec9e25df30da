/* Projected meshes for tests of the rasteriser's shading, made without its passes for visibility.
 */
#pragma once

#include "raster/mesh.h"
#include "raster/scene.h"

/* A mesh of separate triangles whose vertices have all attributes, and the view that it is seen in.
 * Filled by mesh_random(), mesh_project(); ended by mesh_finish(). */
struct test_mesh {
	struct raster_mesh mesh;
	struct raster_view view;
	size_t triangle_count;
	struct raster_corner *corners;
	struct raster_triangle *triangles;
	float *positions, *normals, *tangents, *texcoords[TEXCOORD_SETS], *colors;
	bool mirrored;
};

/* A perspective (or, with an angle of 0, an orthographic view of height 2) of a width and height in
 * pixels from eye to target, with +Y up. */
void view_look(struct raster_view *view, const double eye[static 3], const double target[static 3],
	double angle_rad, int width, int height);

/* Triangles about as long as size around the origin, with random attributes; normals, tangents and
 * colours are different at each corner. */
void mesh_random(struct test_mesh *mesh, unsigned *seed, size_t triangle_count, double size);

/* Room for triangles whose attributes are all 0. */
void mesh_create(struct test_mesh *mesh, size_t triangle_count);

/* Fills corners from the vertices and mesh->view. */
void mesh_project(struct test_mesh *mesh);

void mesh_finish(struct test_mesh *mesh);

/* Places inside of random triangles; count is at most RASTER_QUEUE. */
void fragments_random(
	const struct test_mesh *mesh, unsigned *seed, int count, struct raster_fragments *out);

/* The same fragments in another order; the i-th goes to fragment_turned(i, count). */
void fragments_turn(const struct raster_fragments *from, struct raster_fragments *out);
int fragment_turned(int i, int count);

/* --- In doubles --- */

/* Weights of the corners at a fragment, and their changes for a pixel to the right and down. */
struct exact_weights {
	double of[3], right[3], down[3];
};
struct exact_weights exact_weights_at(const struct raster_fragments *fragments, int i);

/* Component k of an attribute of width floats. */
double exact_mix(const struct raster_fragments *fragments, int i, const double weights[static 3],
	const float *values, int width, int k);

/* Unit, as vertices' normals mix to. */
void exact_normal(const struct test_mesh *mesh, const struct raster_fragments *fragments, int i,
	double out[static 3]);

/* From a fragment's place towards the eye, unit, by the axes of the camera that view_look() made.
 */
void exact_eye(const double eye[static 3], const double target[static 3], double angle_rad,
	const struct raster_view *view, const struct raster_fragments *fragments, int i,
	double out[static 3]);

/* True for what is long and thin, where attributes have fewer digits. */
bool fragment_is_thin(const struct raster_fragments *fragments, int i);
