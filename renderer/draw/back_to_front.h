/* The order in which what one can see through is drawn: the farthest primitive first, and its
 * farthest piece. */
#pragma once

#include "model/rig.h"

/* The primitives to be sorted, and the view along which. By the distance from a perspective's eye a
 * wide surface would count as farther than a small one behind it. */
struct back_to_front_view {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] skinned
	const float *back;      // [3] against the view, as long for all that is compared
};

/* The distance of a primitive's middle along the view; only of use beside that of others. 0 where
 * it is not a number. */
double back_to_front_depth(
	const struct back_to_front_view *view, const struct primitive *primitive);

/* A triangle, line or point of the file. */
struct back_to_front_piece {
	double depth;        // of its middle, as above
	uint32_t corners[3]; // in the rig's vertices; those that are missing are the last one
};

/* The i-th piece of a primitive. */
struct back_to_front_piece back_to_front_piece_of(
	const struct back_to_front_view *view, const struct primitive *primitive, size_t i);

/* For qsort(): the farthest first. Corners part those that are as far, so that the order is always
 * the same. */
int back_to_front_compare(const void *a, const void *b);
