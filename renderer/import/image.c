// The picture formats of textures, told apart by their content.
#include "import/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/limits.h"

static const struct {
	size_t magic_offset;
	const char *magic;
	size_t magic_size;
	enum image_kind kind; // IMAGE_PIXELS: its files are not kept for exports
	bool (*decode)(const struct image_source *source, struct image *image, struct error *err);
} formats[] = {
	{0, "\x89PNG\r\n\x1a\n", 8, IMAGE_PNG, image_png_decode},
	{0, "\xff\xd8\xff", 3, IMAGE_JPEG, image_jpeg_decode},
	{8, "WEBPVP8", 7, IMAGE_PIXELS, image_webp_decode}, // behind RIFF and a size
};

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
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		const size_t offset = formats[i].magic_offset, magic_size = formats[i].magic_size;
		if (size < offset + magic_size ||
			memcmp(bytes + offset, formats[i].magic, magic_size) != 0) {
			continue;
		}
		if (!formats[i].decode(&source, image, err)) {
			free(image->rgba);
			image->rgba = NULL;
			return false;
		}
		image->kind = formats[i].kind;
		return true;
	}
	return error_set(err, ERROR_UNSUPPORTED_ASSET, "neither a PNG, a JPEG nor a WebP");
}
