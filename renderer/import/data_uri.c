// data: URIs: the head up to the comma, then base64 or percent-encoded bytes.
#include "import/data_uri.h"

#include <nettle/base64.h>
#include <string.h>
#include <strings.h>

#include "import/percent.h"

#define SCHEME "data:"
#define BASE64_MARK ";base64"

bool data_uri_is(const char *uri) {
	return strncasecmp(uri, SCHEME, strlen(SCHEME)) == 0;
}

static const unsigned char *decode_base64(
	const char *text, struct arena *arena, size_t *size, struct error *err) {
	const size_t length = *size;
	unsigned char *bytes = arena_alloc(arena, BASE64_DECODE_LENGTH(length) + 1, 1);
	struct base64_decode_ctx decoder;
	base64_decode_init(&decoder);
	if (!base64_decode_update(&decoder, size, bytes, length, text) ||
		!base64_decode_final(&decoder)) {
		error_set(err, ERROR_BROKEN_ASSET, "data URI: not valid base64");
		return NULL;
	}
	return bytes;
}

const unsigned char *data_uri_decode(
	const char *uri, struct arena *arena, size_t *size, struct error *err) {
	const char *comma = strchr(uri, ',');
	if (!comma) {
		error_set(err, ERROR_BROKEN_ASSET, "data URI: no comma before the data");
		return NULL;
	}
	const size_t mark = strlen(BASE64_MARK);
	const bool base64 = (size_t)(comma - uri) >= strlen(SCHEME) + mark &&
		strncasecmp(comma - mark, BASE64_MARK, mark) == 0;
	struct error why = {0};
	const char *text = percent_decode(comma + 1, arena, size, &why);
	if (!text) {
		error_set(err, why.code, "data URI: %s", why.text);
	}
	if (!text || !base64) {
		return (const unsigned char *)text;
	}
	return decode_base64(text, arena, size, err);
}
