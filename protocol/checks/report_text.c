// Text of reports.
#include "checks/report_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"
#define NUMBER_DIGITS 4

void text_put(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

const char *text_escape_controls(unsigned code_point) {
	return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) ? "?" : NULL;
}

static bool is_of_xml(unsigned code_point) {
	return code_point >= 0x20 && code_point != 0xfffe && code_point != 0xffff &&
		!(code_point >= 0x7f && code_point < 0xa0);
}

const char *text_escape_markup(unsigned code_point) {
	switch (code_point) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	case '\r':
		return "&#13;";
	default:
		return is_of_xml(code_point) ? NULL : REPLACEMENT;
	}
}

void text_put_escaped(struct buffer *out, const char *text, text_escape escape) {
	const char *end = text + strlen(text);
	while (text < end) {
		const size_t bytes = utf8_character_bytes(text, (size_t)(end - text));
		const char *instead = bytes ? escape(utf8_code_point(text, bytes)) : REPLACEMENT;
		if (instead) {
			text_put(out, instead);
		} else {
			buffer_append(out, text, bytes);
		}
		text += bytes ? bytes : 1;
	}
}

void text_printf(struct buffer *out, const char *format, ...) {
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length > 0) {
		const size_t size = (size_t)length + 1;
		vsnprintf((char *)buffer_reserve(out, size), size, format, again);
		out->size += size - 1;
	}
	va_end(again);
}

void text_put_number(struct buffer *out, double value) {
	char text[NUMBER_TEXT_BYTES] = "?";
	if (isfinite(value)) {
		number_write_significant(value, NUMBER_DIGITS, text);
	}
	text_put(out, text);
}

static void put_uri(struct buffer *out, const char *text, const char *others) {
	for (; *text; text++) {
		const bool plain = (*text >= '0' && *text <= '9') ||
			((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z') || strchr(others, *text);
		if (plain) {
			buffer_append(out, text, 1);
		} else {
			text_printf(out, "%%%02X", (unsigned char)*text);
		}
	}
}

void text_put_uri_path(struct buffer *out, const char *path) {
	put_uri(out, path, "-._~/");
}

void text_put_uri_component(struct buffer *out, const char *text) {
	put_uri(out, text, "-._~");
}
