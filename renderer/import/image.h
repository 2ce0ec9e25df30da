/* Pictures that textures are made of -> pixels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/material.h"

/* Decodes a picture; its format is told by its content.
 *
 * max_bytes  refuses a picture whose pixels would take more, before they are allocated
 * image       filled but for encoded; rgba is malloc memory, the caller's
 * Fails with ERROR_BROKEN_ASSET (the library's own words), ERROR_UNSUPPORTED_ASSET (no known
 * format) or ERROR_TOO_LARGE, and leaves nothing to free. Any thread. */
bool image_decode(const unsigned char *bytes, size_t size, size_t max_bytes, struct image *image,
	struct error *err);

/* "image/png" and the like, by the first bytes; NULL where image_decode() knows no such format. */
const char *image_media_type(const unsigned char *bytes, size_t size);

/* A decoder's input. */
struct image_source {
	const unsigned char *bytes;
	size_t size;
	size_t max_bytes; // that the pixels may take
};

/* Holds a size against the limits and allocates the pixels. */
bool image_allocate(const struct image_source *source, size_t width, size_t height,
	struct image *image, struct error *err);

bool image_png_decode(const struct image_source *source, struct image *image, struct error *err);
bool image_jpeg_decode(const struct image_source *source, struct image *image, struct error *err);
bool image_webp_decode(const struct image_source *source, struct image *image, struct error *err);
bool image_ktx2_decode(const struct image_source *source, struct image *image, struct error *err);
