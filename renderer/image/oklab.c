// Oklab to sRGB.
#include "image/oklab.h"

#include <math.h>

#include "base/srgb.h"

static unsigned char encode(double light) {
	return (unsigned char)lrint(255 * srgb_from_linear(fmin(fmax(light, 0), 1)));
}

void oklab_to_srgb(const struct oklab *c, unsigned char rgb[static 3]) {
	const double l = pow(c->l + 0.3963377774 * c->a + 0.2158037573 * c->b, 3);
	const double m = pow(c->l - 0.1055613458 * c->a - 0.0638541728 * c->b, 3);
	const double s = pow(c->l - 0.0894841775 * c->a - 1.2914855480 * c->b, 3);
	rgb[0] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
	rgb[1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
	rgb[2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}
