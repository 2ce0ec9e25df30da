/* The skinned surface of an asset as checks look at it: triangles, edges, seams, closed parts and
 * the vertices that joints share with the ones above them. Made once per rig.
 *
 * Its reference shape is that of the bind positions, times a scale for each primitive that brings
 * them to the size of the rest pose. Only lengths, areas and volumes of it mean anything, and only
 * within one primitive. */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "check/asset.h"

struct check_surface_sample;

/* Vertices within this share of the figure's length of each other at rest are one point. */
#define CHECK_WELD_DISTANCE 1e-5

/* Edges below this share of it are not looked at. */
#define CHECK_EDGE_LENGTH 0.002

/* Triangles, corner after corner. The corners are the rig's vertices, the way round that shows the
 * outside at rest: those of primitives that the rest pose mirrors are swapped. */
struct check_triangles {
	int count;
	const int (*corners)[3]; // [count]
	const uint32_t *ids;     // [count] of the rig: index / 3
};

/* A closed piece of the surface. */
struct check_part {
	int first, count; // in surface->closed
	double volume;    // of the reference shape, seen as at rest
	double inside;    // -1 where the rest pose mirrors it, else 1
};

/* Vertices that a joint shares with the nearest joint above it in its skin. */
struct check_support {
	int joint, above;        // positions in rig->joints
	double centre[3];        // the joint in the reference shape
	double axis[3];          // of its bone, see check_bone_axis(); 0 0 0 = none
	int count;               // of vertices
	const int *vertices;     // [count] of the rig, ascending
	const double *distances; // [count] from the centre, in the reference shape
};

/* All arrays are in the arena that it was made in. */
struct check_surface {
	int vertex_count;             // the rig's
	const double (*reference)[3]; // [vertex_count]
	const double *scales;         // [vertex_count] of the reference shape
	const int *points;            // [vertex_count] the lowest vertex at its place; -1 = none
	int skinned_count;
	const int *skinned; // [skinned_count] finite vertices that a skin moves, ascending
	double rest_low[3], rest_high[3]; // their box at rest
	bool has_targets;                 // morph targets move some of them

	struct check_triangles triangles; // finite ones of skinned primitives with three corners
	const double *areas;              // [triangles.count] of the reference shape
	double area;                      // their sum

	/* Unique edges, by lower and higher vertex. Those that are no longer than CHECK_EDGE_LENGTH
	 * are only there where a morph target may make them so. */
	int edge_count, short_edge_count; // the short ones are behind the others
	const int (*edges)[2];            // [edge_count + short_edge_count]
	const double *edge_lengths;       // the same, in the reference shape

	/* Vertices at one point on both sides of an edge that two triangles share. */
	int seam_count;
	const int (*seams)[2]; // [seam_count]; lower vertex first

	/* Triangles whose reference normal agrees with the file's normals. */
	struct check_triangles facing;
	const double *facing_areas; // [facing.count]
	double facing_area;         // their sum

	struct check_triangles closed; // by part
	int part_count;
	const struct check_part *parts;

	int support_count;
	const struct check_support *supports; // by skin, then the joint's position in it
};

/* NULL where no skin moves any triangle or vertex, or the figure has no length. The asset's other
 * fields must be there. */
struct check_surface *check_surface_create(const struct check_asset *asset, struct arena *arena);

/* The reference shape at a sample: with the morph targets of its moment. room is [vertex_count]. */
const double (*check_surface_reference(const struct check_surface *surface,
	const struct check_surface_sample *sample, double (*room)[3]))[3];

/* The volume of a part with its vertices elsewhere; positions is [vertex_count]. */
double check_part_volume(const struct check_surface *surface, const struct check_part *part,
	const double (*positions)[3]);

/* The height of the lowest skinned vertex; INFINITY without any. */
double check_lowest(const struct check_surface *surface, const float *positions);

/* Twice the area times the normal of a triangle. */
static inline void check_cross(const double a[static 3], const double b[static 3],
	const double c[static 3], double out[static 3]) {
	const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	out[0] = u[1] * v[2] - u[2] * v[1];
	out[1] = u[2] * v[0] - u[0] * v[2];
	out[2] = u[0] * v[1] - u[1] * v[0];
}
