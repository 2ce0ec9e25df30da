/* Structural similarity of two pictures. */
#pragma once

#include "against/flip.h"

/* Pixels at each side of a picture that have no similarity: the window would reach beyond it. */
#define SSIM_RADIUS 5

/* Fills map, [height][width], with the similarity of luma at each pixel; NAN at the border. 1 = no
 * difference.
 * Source: Wang, Bovik, Sheikh, Simoncelli: Image Quality Assessment: From Error Visibility to
 * Structural Similarity, 2004: Gaussian window, deviation 1.5, K1 = 0.01, K2 = 0.03. */
void ssim_compare(const struct flip_picture *a, const struct flip_picture *b, int width, int height,
	double *map);
