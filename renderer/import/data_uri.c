// data: URIs: the head up to the comma, then base64 or percent-encoded bytes.
#include "import/data_uri.h"

#include <nettle/base64.h>
#include <string.h>
#include <strings.h>

#define SCHEME "data:"
#define BASE64_MARK ";base64"

bool data_uri_is(const char *uri) {
	return strncasecmp(uri, SCHEME, strlen(SCHEME)) == 0;
}

static int hex_digit(char c) {
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	const char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Undoes %41; text without any is borrowed as it is. */
static const char *decode_percent(
	const char *text, struct arena *arena, size_t *size, struct error *err) {
	*size = strlen(text);
	if (!memchr(text, '%', *size)) {
		return text;
	}
	char *bytes = arena_alloc(arena, *size, 1);
	size_t used = 0;
	for (const char *c = text; *c; c++) {
		bytes[used] = *c;
		if (*c == '%') {
			// The ending NUL is no digit, so that nothing behind it is read.
			const int high = hex_digit(c[1]), low = high < 0 ? -1 : hex_digit(c[2]);
			if (low < 0) {
				error_set(err, ERROR_BROKEN_ASSET,
					"data URI: %% without two hexadecimal digits");
				return NULL;
			}
			bytes[used] = (char)(high * 16 + low);
			c += 2;
		}
		used++;
	}
	*size = used;
	return bytes;
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
	const char *text = decode_percent(comma + 1, arena, size, err);
	if (!text || !base64) {
		return (const unsigned char *)text;
	}
	return decode_base64(text, arena, size, err);
}
