/* What stands on the ground of a picture. */
#pragma once

#include "view/camera.h"

/* What stands on the ground, which is where its lowest point is: in the same place for all that is
 * to be seen together. */
struct footing {
	struct bounds box; // of all that was added
	double size;       // the greatest diagonal of any one
};

#define FOOTING_NONE ((struct footing){.box = BOUNDS_NONE})

/* Adds posed vertices, [count][3]. */
void footing_add(struct footing *footing, const float *positions, size_t count);
