// The drawing on the ground under a figure.
#include "draw/ground.h"

#include <math.h>

#define SIDE_MAX 2048
#define TEXELS_OF_FIGURE 64

struct ground_square ground_shadow_square(const struct bounds *box, double height, double size) {
	const double x = box->max[0] - box->min[0], z = box->max[2] - box->min[2];
	// At least as large as the figure, so that texels are never too many for a blur.
	return (struct ground_square){
		.middle = {(box->min[0] + box->max[0]) / 2, height,
			(box->min[2] + box->max[2]) / 2},
		.half = fmax(fmax(x, z) / 2 + 3 * GROUND_NEAR_BLUR * size, size / 2),
	};
}

int ground_shadow_side(const struct ground_square *square, double size) {
	const double wanted = ceil(2 * square->half / size * TEXELS_OF_FIGURE);
	return wanted <= GROUND_SIDE_MIN ? GROUND_SIDE_MIN
		: wanted >= SIDE_MAX     ? SIDE_MAX
					 : (int)wanted;
}
