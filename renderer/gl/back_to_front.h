/* The order in which what one can see through is drawn. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "model/rig.h"

/* The primitives to be sorted, and the view along which. By the distance from a perspective's eye a
 * wide surface would count as farther than a small one behind it. */
struct back_to_front_view {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] skinned
	const float *back;      // [3] against the view, as long for all that is compared
};

/* The distance of a primitive's middle along the view; only of use beside that of others. */
double back_to_front_depth(
	const struct back_to_front_view *view, const struct primitive *primitive);

/* Writes a primitive's triangles, the farthest first, into the element buffer that is bound: whole
 * triangles by their middles. Returns the number of
 * indices, from the buffer's start on. */
GLsizei back_to_front_upload(
	const struct back_to_front_view *view, const struct primitive *primitive);
