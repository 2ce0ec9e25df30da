/* Differences of two pictures of one view. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "check/sink.h"

struct picture_difference {
	double channel; // the greatest of a channel of a pixel, as a share of the range
	double ssim;    // the mean over the figure's pixels
	double flip;    // the mean over the figure's box
	double flip_p99;
};

/* Two pictures before grey. */
struct picture_pair {
	unsigned char *pixels[2]; // [VIEW_PIXELS][4] opaque
	unsigned char *seen;      // [VIEW_PIXELS] bit 1 << i = the figure of pixels[i]
	double *map;              // [size[1]][size[0]] FLIP from pixel low on; room for VIEW_PIXELS
	int low[2], size[2];      // the figure's box with a pixel of what is around it
	double *list;             // [VIEW_PIXELS]
};

struct picture_pair picture_pair_create(struct arena *arena);

/* Sets a picture: [VIEW_PIXELS] RGBA with straight alpha. */
void picture_pair_set(struct picture_pair *pair, int which, const unsigned char *rgba);

struct picture_difference picture_pair_compare(struct picture_pair *pair);

/* Copies the pixels and the map of a pair that was compared. */
void picture_pair_copy(const struct picture_pair *from, struct picture_pair *to);
