/* Optimised centres of rotation: for each point, the mean place of the surface that has weights
 * like its own. */
#pragma once

#include "mesh/surface.h"
#include "mesh/watch.h"

/* How far weights may be from alike: sigma in METHODS A13. */
#define CENTRES_SIGMA 0.1

/* out[i] = the centre of point i at rest, and in its fourth number 1; four zeros where there is
 * none: points of one slot, and points that share no pair of slots with any triangle. out is
 * [point_count]. The same bits on every machine. Fails with ERROR_TOO_LARGE or the watch's error.
 * Source: Le, Hodgins, Real-time skeletal skinning with optimized centres of rotation, ACM TOG 35
 * (2016); METHODS A13. */
bool centres_find(const struct mesh_surface *surface, const struct watch *watch, double (*out)[4],
	struct error *err);
