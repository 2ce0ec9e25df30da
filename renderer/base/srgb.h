/* The sRGB transfer curve (IEC 61966-2-1), on [0, 1]. */
#pragma once

#include <math.h>

static inline double srgb_to_linear(double encoded) {
	return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static inline double srgb_from_linear(double linear) {
	return linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}
