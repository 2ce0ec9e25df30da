// Structural similarity (Wang et al. 2004).
#include "against/ssim.h"

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"

#define DEVIATION 1.5
#define RANGE 255.0
#define C1 (0.01 * RANGE * 0.01 * RANGE)
#define C2 (0.03 * RANGE * 0.03 * RANGE)
#define WINDOW (2 * SSIM_RADIUS + 1)

static void make_window(double window[static WINDOW]) {
	double sum = 0;
	for (int i = 0; i < WINDOW; i++) {
		const double from = i - SSIM_RADIUS;
		window[i] = exp(-from * from / (2 * DEVIATION * DEVIATION));
		sum += window[i];
	}
	for (int i = 0; i < WINDOW; i++) {
		window[i] /= sum;
	}
}

/* ITU-R BT.601, of the encoded values. */
static double luma_of(const struct flip_picture *picture, int x, int y) {
	const unsigned char *pixel = &picture->rgba[(size_t)y * picture->stride + 4 * (size_t)x];
	return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
}

/* Sums of luma, squares and products under the window. */
struct moments {
	double a, b, aa, bb, ab;
};

static void add(struct moments *sum, const struct moments *more, double weight) {
	sum->a += weight * more->a;
	sum->b += weight * more->b;
	sum->aa += weight * more->aa;
	sum->bb += weight * more->bb;
	sum->ab += weight * more->ab;
}

static double similarity(const struct moments *m) {
	const double a = m->aa - m->a * m->a, b = m->bb - m->b * m->b;
	const double both = m->ab - m->a * m->b;
	return (2 * m->a * m->b + C1) * (2 * both + C2) /
		((m->a * m->a + m->b * m->b + C1) * (a + b + C2));
}

void ssim_compare(const struct flip_picture *a, const struct flip_picture *b, int width, int height,
	double *map) {
	struct arena *arena = arena_create();
	const size_t count = (size_t)width * (size_t)height;
	struct moments *rows = arena_alloc(arena, count, sizeof *rows);
	double window[WINDOW];
	make_window(window);
	for (int y = 0; y < height; y++) {
		for (int x = SSIM_RADIUS; x < width - SSIM_RADIUS; x++) {
			for (int i = 0; i < WINDOW; i++) {
				const double p = luma_of(a, x + i - SSIM_RADIUS, y);
				const double q = luma_of(b, x + i - SSIM_RADIUS, y);
				const struct moments at = {p, q, p * p, q * q, p * q};
				add(&rows[y * width + x], &at, window[i]);
			}
		}
	}
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			const bool inside = x >= SSIM_RADIUS && x < width - SSIM_RADIUS &&
				y >= SSIM_RADIUS && y < height - SSIM_RADIUS;
			struct moments sum = {0};
			for (int i = 0; inside && i < WINDOW; i++) {
				add(&sum, &rows[(y + i - SSIM_RADIUS) * width + x], window[i]);
			}
			map[y * width + x] = inside ? similarity(&sum) : NAN;
		}
	}
	arena_destroy(arena);
}
