/* Which pixels a rig can touch. */
#pragma once

#include "gl/target.h"

/* The pixels of a picture that drawing can touch: those around the projected vertices.
 *
 * view_projection  world to clip space, column-major, as the vertices are drawn with
 * positions        [count][3] skinned; whatever their numbers, all that is drawn is inside */
struct area drawn_area(const float view_projection[static 16], const float *positions, size_t count,
	int width, int height);
