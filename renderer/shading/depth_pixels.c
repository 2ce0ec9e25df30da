// Depth as it was read from a target -> grey.
#include "shading/depth_pixels.h"

#include <math.h>
#include <string.h>

#define NOTHING 0xffffffffU

static bool read_distance(const unsigned char *pixel, double *distance) {
	const uint32_t bits = (uint32_t)pixel[0] | (uint32_t)pixel[1] << 8 |
		(uint32_t)pixel[2] << 16 | (uint32_t)pixel[3] << 24;
	float number;
	memcpy(&number, &bits, sizeof number);
	*distance = (double)number;
	return bits != NOTHING;
}

struct depth_range depth_range_of(
	const struct shading_settings *settings, const unsigned char *raw, size_t count) {
	double near = INFINITY, far = -INFINITY, distance;
	for (size_t i = 0; i < count; i++) {
		if (read_distance(raw + i * 4, &distance)) {
			near = fmin(near, distance);
			far = fmax(far, distance);
		}
	}
	if (near > far) {
		near = far = 0;
	}
	near = settings->has_near ? settings->near : near;
	far = settings->has_far ? settings->far : far;
	// A requested end stays; the other one gives way.
	return (struct depth_range){settings->has_far ? fmin(near, far) : near,
		settings->has_near ? fmax(near, far) : far};
}

/* The position of a distance in the range, from 0 to max. */
static long scaled(const struct depth_range *range, double distance, double most) {
	const double length = range->far - range->near;
	const double share = length > 0 ? (distance - range->near) / length : 0;
	return lrint(fmin(fmax(share, 0), 1) * most);
}

void depth_to_colors(const struct depth_range *range, const double background[static 4],
	unsigned char *raw, size_t count) {
	for (size_t i = 0; i < count; i++) {
		unsigned char *pixel = raw + i * 4;
		double distance;
		const bool there = read_distance(pixel, &distance);
		for (int k = 0; k < 4; k++) {
			pixel[k] = (unsigned char)(!there ? lrint(255 * background[k])
					: k == 3          ? 255
							  : scaled(range, distance, 254));
		}
	}
}

void depth_to_grey16(
	const struct depth_range *range, const unsigned char *raw, size_t count, uint16_t *grey) {
	for (size_t i = 0; i < count; i++) {
		double distance;
		const bool there = read_distance(raw + i * 4, &distance);
		grey[i] = (uint16_t)(there ? scaled(range, distance, 65534) : 65535);
	}
}
