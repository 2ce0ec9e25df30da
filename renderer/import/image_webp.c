// WebP through libwebp: lossy and lossless stills become 8-bit RGBA.
#include <webp/decode.h>

#include "base/delayed.h"
#include "import/image.h"

static const char *status_text(VP8StatusCode status) {
	switch (status) {
	case VP8_STATUS_OUT_OF_MEMORY:
		return "out of memory";
	case VP8_STATUS_UNSUPPORTED_FEATURE:
		return "needs a feature that is not supported";
	case VP8_STATUS_NOT_ENOUGH_DATA:
		return "the data is cut off";
	case VP8_STATUS_OK:
	case VP8_STATUS_INVALID_PARAM:
	case VP8_STATUS_BITSTREAM_ERROR:
	case VP8_STATUS_SUSPENDED:
	case VP8_STATUS_USER_ABORT:
		break;
	}
	return "the data is broken";
}

bool image_webp_decode(const struct image_source *source, struct image *image, struct error *err) {
	if (!delayed_load(&delayed_webp, err)) {
		return false;
	}
	WebPDecoderConfig config;
	if (!WebPInitDecoderConfig(&config)) {
		return error_set(err, ERROR_INTERNAL, "WebP: libwebp is of another version");
	}
	VP8StatusCode status = WebPGetFeatures(source->bytes, source->size, &config.input);
	if (status != VP8_STATUS_OK) {
		return error_set(err, ERROR_BROKEN_ASSET, "WebP: %s", status_text(status));
	}
	if (config.input.has_animation) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET, "WebP: animated, must be a still");
	}
	const size_t width = (size_t)config.input.width, height = (size_t)config.input.height;
	if (!image_allocate(source, width, height, image, err)) {
		return false;
	}
	config.output.colorspace = MODE_RGBA; // straight alpha
	config.output.is_external_memory = 1;
	config.output.u.RGBA = (WebPRGBABuffer){
		.rgba = image->rgba, .stride = image->width * 4, .size = width * height * 4};
	status = WebPDecode(source->bytes, source->size, &config);
	WebPFreeDecBuffer(&config.output);
	return status == VP8_STATUS_OK ||
		error_set(err, ERROR_BROKEN_ASSET, "WebP: %s", status_text(status));
}
