// Which pixels a rig can touch: all others keep the background, and cost nothing more.
#include "picture/drawn_area.h"

#include <math.h>

/* Pixels beyond a vertex that its points and lines reach, one more for rounding. */
#define REACH 3

/* Bounds of projected vertices, -1 to 1 across the picture. */
struct span {
	float min[2], max[2];
	bool in_front; // whether all vertices are in front of the eye
};

static struct span project(const float m[static 16], const float *positions, size_t count) {
	struct span span = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, true};
	for (size_t i = 0; i < count; i++) {
		const float *p = positions + i * 3;
		const float w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
		const float x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w;
		const float y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
		// Written so that what is no number stops here, too.
		span.in_front &= w > 0 && fabsf(x) < INFINITY && fabsf(y) < INFINITY;
		span.min[0] = x < span.min[0] ? x : span.min[0];
		span.max[0] = x > span.max[0] ? x : span.max[0];
		span.min[1] = y < span.min[1] ? y : span.min[1];
		span.max[1] = y > span.max[1] ? y : span.max[1];
	}
	return span;
}

/* Pixels from the edge at -1 to a place, within [0, size]. */
static int pixel(double place, double reach, int size) {
	return (int)fmin(fmax(floor((place + 1) / 2 * size + reach), 0), size);
}

struct area drawn_area(const float view_projection[static 16], const float *positions, size_t count,
	int width, int height) {
	if (count == 0) {
		return (struct area){0};
	}
	const struct span span = project(view_projection, positions, count);
	if (!span.in_front) {
		return (struct area){0, 0, width, height};
	}
	const int x = pixel(span.min[0], -REACH, width), y = pixel(span.min[1], -REACH, height);
	return (struct area){
		.x = x,
		.y = y,
		.width = pixel(span.max[0], REACH + 1, width) - x,
		.height = pixel(span.max[1], REACH + 1, height) - y,
	};
}
