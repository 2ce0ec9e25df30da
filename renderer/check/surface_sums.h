/* Sums over the numbers of edges and triangles, four at a time and with the fastest instructions
 * that there are. The bits are those of the formulas as they are written in C. */
#pragma once

#include <stddef.h>

/* Vertices as doubles; the fourth number is 0. */
typedef double check_point[4];

void check_sums_points(const float *positions, size_t count, check_point *out);

/* The squares of the lengths of edges, x x + y y + z z; out is [count]. */
void check_sums_edges(const check_point *points, const int (*ends)[2], int count, double *out);

/* Six times the volumes between triangles and an origin, a . (b x c); out is [count]. */
void check_sums_volumes(const check_point *points, const double origin[static 3],
	const int (*corners)[3], int count, double *out);

/* Positive for triangles that are seen from the side that the normals of their vertices point to:
 * (b - a) x (c - a) . (l + m + n). normals are [vertex_count][3], with a number behind the last
 * one; out is [count]. */
void check_sums_sides(const check_point *points, const float *normals, const int (*corners)[3],
	int count, double *out);
