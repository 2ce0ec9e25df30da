// The table of picture formats, and pixels made ready for them.
#include "image/encode.h"

#include <math.h>

#include "base/srgb.h"

static const struct picture_format formats[] = {
	{"png", "image/png", encode_png},
};

const struct picture_format *picture_format(size_t i) {
	return i < sizeof formats / sizeof *formats ? &formats[i] : NULL;
}

void picture_unpremultiply(unsigned char *rgba, size_t pixel_count) {
	for (size_t i = 0; i < pixel_count; i++) {
		unsigned char *pixel = rgba + i * 4;
		if (pixel[3] == 0 || pixel[3] == 255) {
			continue;
		}
		// Only the few pixels along edges come here, so the powers cost little.
		for (int k = 0; k < 3; k++) {
			const double straight = srgb_to_linear(pixel[k] / 255.0) * 255 / pixel[3];
			pixel[k] = (unsigned char)(srgb_from_linear(fmin(straight, 1)) * 255 + 0.5);
		}
	}
}
