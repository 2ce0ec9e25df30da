// Corners and jumps of samples.
#include "compress/spline_breaks.h"

#include <math.h>
#include <stdlib.h>

#define JUMP_UNBALANCED 0.5 // of second differences beside a jump, which are opposite
#define MEDIANS 8
#define MEDIAN_SIGMA 1.4826
#define TOLERANCES 10

static int by_size(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double second_difference(const struct bspline_samples *samples, int sample, int axis) {
	const int width = samples->width;
	const double *at = samples->values + sample * width + axis;
	return at[-width] - 2 * at[0] + at[width];
}

static double bend(const struct bspline_samples *samples, int sample) {
	double square = 0;
	for (int c = 0; c < samples->width; c++) {
		const double difference = second_difference(samples, sample, c);
		square += difference * difference;
	}
	return sqrt(square);
}

/* True when the second differences of a sample and the next are those of a step between them. */
static bool jumps_after(const struct bspline_samples *samples, int sample) {
	double sum = 0, size = 0;
	for (int c = 0; c < samples->width; c++) {
		const double here = second_difference(samples, sample, c);
		const double next = second_difference(samples, sample + 1, c);
		sum += (here + next) * (here + next);
		size += fmax(here * here, next * next);
	}
	return sqrt(sum) < JUMP_UNBALANCED * sqrt(size);
}

int spline_find_breaks(const struct bspline_samples *samples, double tolerance, double *sorted,
	struct spline_break *out) {
	const int last = samples->count - 1;
	int count = 0;
	for (int i = 1; i < last; i++) {
		sorted[i - 1] = bend(samples, i);
	}
	if (last < 3) {
		return 0;
	}
	qsort(sorted, (size_t)last - 1, sizeof *sorted, by_size);
	const double usual = MEDIANS * MEDIAN_SIGMA * sorted[(last - 1) / 2];
	const double above = fmax(TOLERANCES * tolerance, usual);
	for (int i = 1; i < last; i++) {
		if (bend(samples, i) <= above) {
			continue;
		}
		const bool jumps =
			i + 1 < last && bend(samples, i + 1) > above && jumps_after(samples, i);
		i += jumps;
		out[count++] = (struct spline_break){i, jumps};
	}
	return count;
}
