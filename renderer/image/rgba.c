// Pictures without a file around them: rows of sRGB with straight alpha.
#include "image/encode.h"

static bool encode(const struct picture *picture, const struct picture_coding *coding,
	struct buffer *out, struct error *err) {
	(void)coding;
	const size_t bytes = (size_t)picture->width * (size_t)picture->height * 4;
	return buffer_try_append(out, picture->rgba, bytes, "picture", err);
}

const struct picture_format picture_rgba = {
	.name = "rgba",
	.media_type = "application/octet-stream",
	.encode = encode,
};
