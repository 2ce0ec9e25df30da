// What stands on the ground of a picture.
#include "skinned/footing.h"

#include <math.h>

void footing_add(struct footing *footing, const float *positions, size_t count) {
	const struct bounds box = bounds_of_points(positions, count);
	if (count > 0) {
		bounds_add(&footing->box, &box);
		footing->size = fmax(footing->size,
			hypot(hypot((double)box.max[0] - box.min[0],
				      (double)box.max[1] - box.min[1]),
				(double)box.max[2] - box.min[2]));
	}
}
