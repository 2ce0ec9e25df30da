/* How alike pictures are: pairs of files of RGBA bytes, straight, of one size.
 *
 * bench_likeness SIZE A B [C D...] prints a line for each pair: pixels of either with alpha, of
 * these those with another alpha, and on white the mean SSIM, the mean FLIP, the mean FLIP where
 * one has alpha, and the mean difference there, of 255. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "against/ssim.h"
#include "base/memory.h"

static unsigned char *read_pixels(const char *path, size_t bytes) {
	unsigned char *pixels = xcalloc(bytes, 1);
	FILE *file = fopen(path, "rb");
	if (!file || fread(pixels, 1, bytes, file) != bytes) {
		fprintf(stderr, "cannot read %zu bytes of %s\n", bytes, path);
		exit(1);
	}
	fclose(file);
	return pixels;
}

static unsigned char *on_white(const unsigned char *rgba, size_t bytes) {
	unsigned char *out = xcalloc(bytes, 1);
	for (size_t i = 0; i < bytes; i++) {
		const int alpha = rgba[i | 3];
		out[i] = i % 4 == 3
			? 255
			: (unsigned char)((rgba[i] * alpha + 255 * (255 - alpha) + 127) / 255);
	}
	return out;
}

/* The mean of the pixels that one of both has; NULL = of all. */
static double mean_of(const double *map, const unsigned char *const rgba[2], size_t pixels) {
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < pixels; i++) {
		if (!isnan(map[i]) && (!rgba || rgba[0][i * 4 + 3] || rgba[1][i * 4 + 3])) {
			sum += map[i];
			count++;
		}
	}
	return sum / (double)count;
}

static void compare(const char *const paths[2], int size) {
	const size_t pixels = (size_t)size * (size_t)size;
	const unsigned char *rgba[2];
	struct flip_picture pictures[2];
	double *map = xcalloc(pixels, sizeof *map);
	int covered = 0, unlike = 0;
	for (int i = 0; i < 2; i++) {
		rgba[i] = read_pixels(paths[i], pixels * 4);
		pictures[i] =
			(struct flip_picture){on_white(rgba[i], pixels * 4), (size_t)size * 4};
	}
	for (size_t i = 0; i < pixels; i++) {
		covered += rgba[0][i * 4 + 3] || rgba[1][i * 4 + 3];
		unlike += rgba[0][i * 4 + 3] != rgba[1][i * 4 + 3];
	}
	ssim_compare(&pictures[0], &pictures[1], size, size, map);
	const double ssim = mean_of(map, NULL, pixels);
	flip_compare(&pictures[0], &pictures[1], size, size, FLIP_PIXELS_PER_DEGREE, map);
	const double flip = mean_of(map, NULL, pixels), flip_on = mean_of(map, rgba, pixels);
	for (size_t i = 0; i < pixels; i++) {
		map[i] = 0;
		for (size_t k = 0; k < 3; k++) {
			map[i] += abs(pictures[0].rgba[i * 4 + k] - pictures[1].rgba[i * 4 + k]) /
				3.0;
		}
	}
	printf("%d %d %.5f %.5f %.5f %.3f\n", covered, unlike, ssim, flip, flip_on,
		mean_of(map, rgba, pixels));
	free(map);
}

int main(int argc, char **argv) {
	const int size = argc > 1 ? atoi(argv[1]) : 0;
	if (size < 16 || argc % 2 != 0) {
		fprintf(stderr, "bench_likeness SIZE A B [C D...]\n");
		return 2;
	}
	for (int i = 2; i + 1 < argc; i += 2) {
		compare((const char *const[2]){argv[i], argv[i + 1]}, size);
	}
	return 0;
}
