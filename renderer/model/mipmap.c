// Smaller versions of images.
#include "model/mipmap.h"

#include <pthread.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/srgb.h"

/* Steps of the way back from linear light: fine enough that the darkest stay within half a step of
 * 8 bits. */
#define ENCODE_BITS 13

static struct {
	uint16_t linear[256];                    // of an sRGB byte, on [0, 65535]
	unsigned char encoded[1 << ENCODE_BITS]; // sRGB byte of linear light
} tables;

static void fill_tables(void) {
	for (int i = 0; i < 256; i++) {
		tables.linear[i] = (uint16_t)(srgb_to_linear(i / 255.0) * 65535 + 0.5);
	}
	const int steps = 1 << ENCODE_BITS;
	for (int i = 0; i < steps; i++) {
		tables.encoded[i] =
			(unsigned char)(srgb_from_linear((i + 0.5) / steps) * 255 + 0.5);
	}
}

static void average_numbers(const unsigned char *top, const unsigned char *bottom, size_t right,
	size_t from, unsigned char *out) {
	for (size_t k = from; k < 4; k++) {
		out[k] = (unsigned char)((top[k] + top[right + k] + bottom[k] + bottom[right + k] +
						 2) /
			4);
	}
}

static void average_light(
	const unsigned char *top, const unsigned char *bottom, size_t right, unsigned char *out) {
	for (size_t k = 0; k < 3; k++) {
		const uint32_t sum = (uint32_t)tables.linear[top[k]] +
			tables.linear[top[right + k]] + tables.linear[bottom[k]] +
			tables.linear[bottom[right + k]];
		out[k] = tables.encoded[sum >> (18 - ENCODE_BITS)];
	}
}

unsigned char *mipmap_halve(const unsigned char *rgba, bool encoded, int *width, int *height) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, fill_tables);
	const size_t from_width = (size_t)*width;
	const size_t w = *width > 1 ? (size_t)*width / 2 : 1;
	const size_t h = *height > 1 ? (size_t)*height / 2 : 1;
	const size_t right = *width > 1 ? 4 : 0, below = *height > 1 ? from_width * 4 : 0;
	unsigned char *half = xcalloc(w * h, 4);
	for (size_t y = 0; y < h; y++) {
		const unsigned char *top = rgba + y * 2 * from_width * 4;
		for (size_t x = 0; x < w; x++) {
			const unsigned char *at = top + x * 8;
			unsigned char *out = half + (y * w + x) * 4;
			if (encoded) {
				average_light(at, at + below, right, out);
			}
			average_numbers(at, at + below, right, encoded ? 3 : 0, out);
		}
	}
	*width = (int)w;
	*height = (int)h;
	return half;
}
