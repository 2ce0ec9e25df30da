// Text from a file, made fit for a message.
#include "import/quote.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void quote(const char *text, char out[static QUOTE_BYTES]) {
	const size_t room = QUOTE_BYTES - sizeof "...";
	const size_t length = strlen(text);
	const size_t taken = length < room ? length : room;
	memcpy(out, text, taken);
	out[taken] = '\0';
	if (taken < length) {
		utf8_trim(out);
		memcpy(out + strlen(out), "...", sizeof "...");
	}
	for (char *c = out; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			*c = '?';
		}
	}
}
