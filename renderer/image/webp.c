// WebP files, by libwebp.
#include <webp/encode.h>

#include "base/delayed.h"
#include "image/encode.h"

#define QUALITY 90

/* libwebp's effort without loss, of 9: a rig in 256 x 256 pixels is 30 % smaller than as PNG after
 * three times as long. The next one takes six times as long again for a tenth less. */
#define LOSSLESS_LEVEL 0

/* Its effort else, of 6: no slower than the least of all, and a tenth smaller. */
#define LOSSY_METHOD 2

static int on_write(const uint8_t *data, size_t size, const WebPPicture *writing) {
	return buffer_try_append(writing->custom_ptr, data, size, "WebP", NULL);
}

static bool refuse(const WebPPicture *writing, struct error *err) {
	const WebPEncodingError code = writing->error_code;
	const bool memory = code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
		code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY || code == VP8_ENC_ERROR_BAD_WRITE;
	return error_set(err, memory ? ERROR_TOO_LARGE : ERROR_INTERNAL,
		"libwebp cannot write %d x %d pixels: error %d", writing->width, writing->height,
		(int)code);
}

static bool configure(WebPConfig *config, const struct picture_coding *coding) {
	bool ok = WebPConfigInit(config);
	if (!coding->lossy) {
		ok = ok && WebPConfigLosslessPreset(config, LOSSLESS_LEVEL);
		config->exact = 1; // colours also where nothing is seen of them
	} else {
		config->quality = (float)(coding->quality ? coding->quality : QUALITY);
		config->method = LOSSY_METHOD;
	}
	return ok;
}

static bool encode(const struct picture *picture, const struct picture_coding *coding,
	struct buffer *out, struct error *err) {
	if (!delayed_load(&delayed_webp, err)) {
		return false;
	}
	WebPConfig config;
	WebPPicture writing;
	if (!configure(&config, coding) || !WebPPictureInit(&writing)) {
		return error_set(err, ERROR_INTERNAL, "libwebp is another version's");
	}
	writing.use_argb = 1;
	writing.width = picture->width;
	writing.height = picture->height;
	writing.writer = on_write;
	writing.custom_ptr = out;
	const bool ok = WebPPictureImportRGBA(&writing, picture->rgba, picture->width * 4) &&
		WebPEncode(&config, &writing);
	WebPPictureFree(&writing);
	return ok || refuse(&writing, err);
}

const struct picture_format picture_webp = {
	.name = "webp",
	.media_type = "image/webp",
	.lossy_on_request = true,
	.encode = encode,
};
