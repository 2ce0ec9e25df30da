// UTF-8 text that was cut at a byte.
#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

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
	if (length < (int)room) {
		strcat(quoted, "\"");
		return;
	}
	utf8_trim(quoted);
	strcat(quoted, "...\"");
}
