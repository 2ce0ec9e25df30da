/* The volume that closed parts of a surface enclose, and how it changes when points move along
 * given directions. Source: METHODS A22, after Rohmer, Hahmann, Cani, Exact volume preserving
 * skinning with shape control, SCA 2009. */
#pragma once

#include "mesh/parts.h"
#include "mesh/surface.h"
#include "mesh/watch.h"

/* Coefficients of a part's volume as points move: c[0] + c[1] x + c[2] x^2 + c[3] x^3. */
struct volume_cubic {
	double c[4];
};

/* out[i] = the derivative of the enclosed volume after the position of point i: a third of the
 * area around it times its mean normal. positions and out are [point_count]. */
void volume_gradients(
	const struct mesh_surface *surface, const double (*positions)[3], double (*out)[3]);

/* Adds one triangle: its corners, and the directions that they go in. */
void volume_add_face(const double *const corners[static 3],
	const double *const directions[static 3], struct volume_cubic *sum);

/* out[i] = the volume of part i when every point p moves by x times directions[p].
 * positions and directions are [point_count], out [parts->count]; of parts that are not closed the
 * numbers mean nothing. */
void volume_cubics(const struct mesh_surface *surface, const struct parts *parts,
	const double (*positions)[3], const double (*directions)[3], struct volume_cubic *out);

double volume_evaluate(const struct volume_cubic *cubic, double x);

/* The x nearest to 0 at which the cubic is the volume wanted, within [-limit, limit]; where there
 * is none, the end at which it comes nearer. Returns whether it is reached (to rounding); a volume
 * that is reached already gives 0. limit >= 0. */
bool volume_solve(const struct volume_cubic *cubic, double volume, double limit, double *x);

/* The tolerance within which weights are alike: sigma in METHODS A13. */
#define CENTRES_SIGMA 0.1

/* out[i] = the centre of point i at rest, and in its fourth number 1; four zeros where there is
 * none: points of one slot, and points that share no pair of slots with any triangle. out is
 * [point_count]. The same bits on every machine. Fails with ERROR_TOO_LARGE or the watch's error.
 * Source: Le, Hodgins, Real-time skeletal skinning with optimized centres of rotation, ACM TOG 35
 * (2016); METHODS A13. */
bool centres_find(const struct mesh_surface *surface, const struct watch *watch, double (*out)[4],
	struct error *err);
