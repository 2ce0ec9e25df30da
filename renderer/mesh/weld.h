/* Vertices that are one point of the surface, though the file has several: at seams of texture
 * coordinates, at hard edges, where primitives meet. */
#pragma once

#include "mesh/watch.h"
#include "model/rig.h"

/* Distances up to this times the diagonal of all positions are none. */
#define WELD_TOLERANCE 1e-6

/* The lowest vertex of the same point, for every vertex.
 *
 * Two vertices of triangles are one point when they lie at the same place, have the same influences
 * (up to 0.01 of weight in all) and are moved alike by morph targets: lips that touch at rest and
 * open in a pose are no seam. Vertices that are not a triangle's stay alone.
 *
 * slots   [rig->slot_count] from slots_unify()
 * Returns [rig->vertex_count] to free(), or NULL with ERROR_TOO_LARGE or the watch's error. */
int *weld_vertices(
	const struct rig *rig, const int *slots, const struct watch *watch, struct error *err);
