/* Blend spaces: samples at points of a line or a plane, and how much say each has at another point.
 */
#pragma once

#define SPACE_SAMPLES_MAX 256

enum space_mode {
	SPACE_TRIANGLES,     // between neighbours: two on a line, three in a plane
	SPACE_GRADIENT_BAND, // all samples whose bands reach the point
	SPACE_MODE_COUNT,
};

/* The modes' names in requests, in the order of the enum, ended by NULL. */
extern const char *const space_mode_names[SPACE_MODE_COUNT + 1];

/* Numbers of samples. Both lists are empty where the samples lie on one line. */
struct space_mesh {
	int triangle_count;
	short triangles[2 * SPACE_SAMPLES_MAX][3]; // counterclockwise
	int edge_count;
	short edges[2 * SPACE_SAMPLES_MAX][2]; // of the hull, counterclockwise
};

/* Looks for two samples in one place: nearer to one another than 2^-24 of the longer side of the
 * box around all of them. Returns the later one of the first such pair, and the other in *other; -1
 * where there are none. at is [count], at most SPACE_SAMPLES_MAX. */
int space_find_twin(const double (*at)[2], int count, int *other);

/* Delaunay's triangulation of samples without twins, seen on a grid of 2^-24 of the longer side of
 * the box around them, in whole numbers: it is exact there, and the same for any order of the
 * samples but for their numbers. Of samples on one circle it keeps the triangles that a sweep in
 * the order of the first coordinate, then the second, makes of them. A sample at the hull no
 * farther than 2^-18 of that side from the line between its neighbours is on it. Source: Lawson,
 * Software for C1 surface interpolation, in Mathematical Software III (1977). */
void space_triangulate(const double (*at)[2], int count, struct space_mesh *mesh);

/* The weights of the samples, [count], at a point: none below 0, their sum is 1, and at a sample it
 * has them all.
 *
 * Triangles: the point's barycentric coordinates in its triangle; outside of all, those of the
 * nearest point of the hull. Samples on one line, as on a line they all are: between neighbours, by
 * where the point is along it, and the last one's beyond the end.
 * Gradient bands: h_i = the least over all others j of 1 - (p - p_i) (p_j - p_i) / |p_j - p_i|^2,
 * held in [0, 1], and divided by their sum. mesh is not looked at. METHODS C.11; Johansen,
 * Automated semi-procedural animation, Aarhus University (2009). */
void space_weights(const double (*at)[2], int count, const struct space_mesh *mesh,
	enum space_mode mode, const double point[static 2], double *weights);
