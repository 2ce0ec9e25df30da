/* Oklab, a space of colours where distances are as great as they look. Source: Ottosson. A
 * perceptual color space for image processing. 2020 (https://bottosson.github.io/posts/oklab). */
#pragma once

/* Lightness in [0, 1] and two opponent colours (a: green to red, b: blue to yellow). */
struct oklab {
	double l, a, b;
};

/* The nearest bytes; what sRGB does not have is cut off channel by channel. */
void oklab_to_srgb(const struct oklab *color, unsigned char rgb[static 3]);
