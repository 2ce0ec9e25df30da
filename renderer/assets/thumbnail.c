// The picture of an avatar that its own file holds.
#include "image/encode.h"
#include "interface/assets.h"
#include "model/avatar.h"

bool renderer_thumbnail(
	const struct rig *rig, struct buffer *out, const char **media_type, struct error *err) {
	if (!rig->avatar || rig->avatar->thumbnail < 0) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "%s",
			rig->avatar ? "the avatar's file has no thumbnail that can be read"
				    : "the rig is no VRM avatar, which alone have thumbnails");
	}
	const struct image *image = &rig->images[rig->avatar->thumbnail];
	*media_type = image->kind == IMAGE_JPEG ? "image/jpeg" : "image/png";
	if (image->kind != IMAGE_PIXELS) {
		return buffer_try_append(
			out, image->encoded, image->encoded_bytes, "the thumbnail", err);
	}
	const struct picture picture = {
		.width = image->width, .height = image->height, .rgba = image->rgba};
	return encode_png(&picture, out, err);
}
