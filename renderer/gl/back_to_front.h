/* The order in which what one can see through is drawn. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "model/rig.h"

/* What is sorted, and as seen from where. */
struct back_to_front_view {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] skinned
	const float *eye;       // [4] a place with 1, or a direction towards the viewer with 0
};

/* How far a primitive's middle is from the viewer; only of use beside that of others. */
double back_to_front_distance(
	const struct back_to_front_view *view, const struct primitive *primitive);

/* Writes a primitive's triangles, the farthest first, into the element buffer that is bound: whole
 * triangles by their middles. Returns the number of
 * indices, from the buffer's start on. */
GLsizei back_to_front_upload(
	const struct back_to_front_view *view, const struct primitive *primitive);
