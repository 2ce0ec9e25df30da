// UTF-8: well-formed or not, and text that was cut at a byte.
#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
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

unsigned utf8_code_point(const char *start, size_t bytes) {
	const unsigned char *text = (const unsigned char *)start;
	unsigned point = bytes == 1 ? text[0] : text[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		point = point << 6 | (text[i] & 0x3f);
	}
	return point;
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

void utf8_trim(char *text) {
	const size_t length = strlen(text);
	size_t start = length;
	while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) {
		start--;
	}
	if (start == 0) {
		return;
	}
	const unsigned char lead = (unsigned char)text[start - 1];
	const size_t have = length - start + 1;
	const size_t need = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (have < need) {
		text[start - 1] = '\0';
	}
}

void utf8_quote(const char *text, char *quoted, size_t size) {
	assert(size >= 8);
	const size_t room = size - 4; // behind it: ..."
	const int length = snprintf(quoted, room, "\"%s", text);
	if (length >= (int)room) {
		utf8_trim(quoted);
		strcat(quoted, "...");
	}
	strcat(quoted, "\"");
	for (char *c = quoted; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			*c = '?';
		}
	}
}

const char *utf8_list_quoted(struct arena *arena, const char *texts, const char *text) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(text, quoted, sizeof quoted);
	return texts ? arena_printf(arena, "%s, %s", texts, quoted)
		     : arena_printf(arena, "%s", quoted);
}
