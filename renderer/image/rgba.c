// Pictures without a file around them: rows of sRGB with straight alpha, or of grey.
#include "image/encode.h"

static bool encode(const struct picture *picture, const struct picture_coding *coding,
	struct buffer *out, struct error *err) {
	(void)coding;
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	// Grey is in the machine's order, which is little-endian wherever posed runs.
	return picture->grey16 ? buffer_try_append(out, picture->grey16, pixels * 2, "picture", err)
			       : buffer_try_append(out, picture->rgba, pixels * 4, "picture", err);
}

const struct picture_format picture_rgba = {
	.name = "rgba",
	.media_type = "application/octet-stream",
	.supports_grey16 = true,
	.encode = encode,
};
