// Text as it travels in URLs.
#include "url_text.h"

#include <nettle/base64.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

char *url_decode(struct arena *arena, const char *text, size_t length) {
	char *out = arena_alloc(arena, length + 1, 1);
	size_t used = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '%') {
			out[used++] = text[i];
			continue;
		}
		const int high = i + 2 < length ? hex_digit_value(text[i + 1]) : -1;
		const int low = i + 2 < length ? hex_digit_value(text[i + 2]) : -1;
		const int byte = high < 0 || low < 0 ? 0 : high * 16 + low;
		if (byte == 0) {
			return NULL;
		}
		out[used++] = (char)byte;
		i += 2;
	}
	return utf8_is_valid(out, used) ? out : NULL;
}

static bool is_unreserved(char c) {
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c && strchr("-._~", c));
}

char *url_encode(struct arena *arena, const char *text) {
	static const char digits[] = "0123456789ABCDEF";
	char *out = arena_alloc(arena, 3 * strlen(text) + 1, 1);
	char *end = out;
	for (const char *c = text; *c; c++) {
		if (is_unreserved(*c)) {
			*end++ = *c;
			continue;
		}
		*end++ = '%';
		*end++ = digits[(unsigned char)*c >> 4];
		*end++ = digits[(unsigned char)*c & 15];
	}
	return out;
}

void text_put_base64(struct buffer *out, const void *bytes, size_t size) {
	const size_t length = BASE64_ENCODE_RAW_LENGTH(size);
	base64_encode_raw((char *)buffer_reserve(out, length), size, bytes);
	out->size += length;
}
