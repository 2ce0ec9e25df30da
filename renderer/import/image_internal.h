/* Between image.c and its decoders. */
#pragma once

#include "import/image.h"

/* A decoder's input. */
struct image_source {
	const unsigned char *bytes;
	size_t size;
	size_t most_bytes; // that the pixels may take
};

/* Holds a size against the limits and allocates the pixels. */
bool image_allocate(const struct image_source *source, size_t width, size_t height,
	struct image *image, struct error *err);

bool image_png_decode(const struct image_source *source, struct image *image, struct error *err);
bool image_jpeg_decode(const struct image_source *source, struct image *image, struct error *err);
bool image_webp_decode(const struct image_source *source, struct image *image, struct error *err);
