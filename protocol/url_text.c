// Text as it travels in URLs.
#include "url_text.h"

#include <string.h>

/* After table 3-7 of the Unicode Standard. */
size_t utf8_character_bytes(const char *start, size_t left) {
	const unsigned char *text = (const unsigned char *)start;
	const unsigned char lead = text[0];
	if (lead < 0x80) {
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4) {
		return 0;
	}
	const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (length > left) {
		return 0;
	}
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
	return text[1] >= least && text[1] <= most ? length : 0;
}

bool utf8_is_valid(const char *text, size_t length) {
	for (size_t i = 0; i < length;) {
		const size_t step = utf8_character_bytes(text + i, length - i);
		if (step == 0) {
			return false;
		}
		i += step;
	}
	return true;
}

int hex_digit_value(char c) {
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	const char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

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
