/* FLIP: the difference that an observer sees who flips between two pictures. */
#pragma once

#include <stddef.h>

/* A picture without transparency: [height][stride], sRGB, of which the first three bytes of four
 * count. */
struct flip_picture {
	const unsigned char *rgba;
	size_t stride; // bytes of a row
};

/* Pixels that a degree of the field of view has: at 0.7 m from a screen of 3840 pixels on 0.7 m. */
#define FLIP_PIXELS_PER_DEGREE 67

/* Fills map, [height][width], with the difference at each pixel, [0, 1]. Pixels of the border go on
 * outside.
 * Source: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild: FLIP: A Difference
 * Evaluator for Alternating Images, 2020; for pictures of low dynamic range. */
void flip_compare(const struct flip_picture *reference, const struct flip_picture *test, int width,
	int height, double pixels_per_degree, double *map);
