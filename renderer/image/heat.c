// Colours for how great something is.
#include "image/heat.h"

#include "image/oklab.h"

/* Lightness grows evenly; a and b go along a quadratic Bezier curve that stays within sRGB. */
static struct oklab path(double t) {
	static const struct oklab start = {0.40, 0.03, -0.13}, pull = {0, -0.19, -0.06},
				  end = {0.93, -0.035, 0.155};
	const double u = (1 - t) * (1 - t), v = 2 * t * (1 - t), w = t * t;
	return (struct oklab){
		.l = start.l + (end.l - start.l) * t,
		.a = u * start.a + v * pull.a + w * end.a,
		.b = u * start.b + v * pull.b + w * end.b,
	};
}

void heat_color(double share, unsigned char rgb[static 3]) {
	const struct oklab color = path(share);
	oklab_to_srgb(&color, rgb);
}
