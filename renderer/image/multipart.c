// Pictures that take one another's place as they come, for an <img> of a page: parts of
// multipart/x-mixed-replace, each a PNG. A part ends with the next one's boundary, at which
// browsers show it; so that is sent with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/encode.h"
#include "image/sequence.h"

#define BOUNDARY "posed-frame"

static bool put(struct buffer *out, const char *text, struct error *err) {
	const size_t length = strlen(text);
	if (!buffer_try_reserve(out, length, "the frames", err)) {
		return false;
	}
	buffer_append(out, text, length);
	return true;
}

static bool pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	const struct picture picture = {
		.width = settings->width, .height = settings->height, .rgba = rgba};
	return encode_png(&picture, packed, err);
}

/* There is nothing to remember; what is opened is told from what failed by its address. */
static void *open(const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	return put(out, "--" BOUNDARY, err) ? (void *)settings : NULL;
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	(void)sequence;
	char head[128];
	snprintf(head, sizeof head, "\r\nContent-Type: image/png\r\nContent-Length: %zu\r\n\r\n",
		packed->size);
	if (!put(out, head, err) || !buffer_try_reserve(out, packed->size, "the frames", err)) {
		return false;
	}
	buffer_append(out, packed->data, packed->size);
	return put(out, "\r\n--" BOUNDARY, err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	(void)sequence;
	return put(out, "--\r\n", err);
}

static void close(void *sequence) {
	(void)sequence;
}

const struct sequence_format sequence_multipart = {
	.name = "multipart",
	.title = "PNG after PNG at the pace of the clock, for an <img>",
	.media_type = "multipart/x-mixed-replace",
	.content_type = "multipart/x-mixed-replace; boundary=" BOUNDARY,
	.ending = "multipart",
	.is_live = true,
	.pack = pack,
	.open = open,
	.add = add,
	.end = end,
	.close = close,
};
