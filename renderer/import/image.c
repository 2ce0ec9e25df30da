// The picture formats of textures, told apart by their content.
#include "import/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/limits.h"

static const struct format {
	size_t magic_offset;
	const char *magic;
	size_t magic_size;
	const char *media_type;
	enum image_kind kind; // IMAGE_PIXELS: its files are not kept for exports
	bool (*decode)(const struct image_source *source, struct image *image, struct error *err);
} formats[] = {
	{0, "\x89PNG\r\n\x1a\n", 8, "image/png", IMAGE_PNG, image_png_decode},
	{0, "\xff\xd8\xff", 3, "image/jpeg", IMAGE_JPEG, image_jpeg_decode},
	// Behind RIFF and a size.
	{8, "WEBPVP8", 7, "image/webp", IMAGE_PIXELS, image_webp_decode},
	{0, "\xabKTX 20\xbb\r\n\x1a\n", 12, "image/ktx2", IMAGE_PIXELS, image_ktx2_decode},
};

/* The row of a file's format, or NULL. */
static const struct format *find_format(const unsigned char *bytes, size_t size) {
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		const struct format *format = &formats[i];
		if (size >= format->magic_offset + format->magic_size &&
			memcmp(bytes + format->magic_offset, format->magic, format->magic_size) ==
				0) {
			return format;
		}
	}
	return NULL;
}

const char *image_media_type(const unsigned char *bytes, size_t size) {
	const struct format *format = find_format(bytes, size);
	return format ? format->media_type : NULL;
}

bool image_allocate(const struct image_source *source, size_t width, size_t height,
	struct image *image, struct error *err) {
	if (width < 1 || height < 1 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX ||
		width * height > IMAGE_PIXELS_MAX || width * height * 4 > source->max_bytes) {
		return error_set(err, ERROR_TOO_LARGE,
			"%zu x %zu pixels; up to %d a side, %zu in all and %zu bytes are accepted",
			width, height, IMAGE_SIDE_MAX, IMAGE_PIXELS_MAX, source->max_bytes);
	}
	image->rgba = try_alloc(width * height, 4, "image", err);
	image->width = (int)width;
	image->height = (int)height;
	return image->rgba;
}

bool image_decode(const unsigned char *bytes, size_t size, size_t max_bytes, struct image *image,
	struct error *err) {
	const struct image_source source = {bytes, size, max_bytes};
	*image = (struct image){0};
	const struct format *format = find_format(bytes, size);
	if (!format) {
		return error_set(
			err, ERROR_UNSUPPORTED_ASSET, "neither a PNG, a JPEG, a WebP nor a KTX 2");
	}
	if (!format->decode(&source, image, err)) {
		free(image->rgba);
		image->rgba = NULL;
		return false;
	}
	image->kind = format->kind;
	return true;
}
