// Percent-encoding in URIs.
#include "import/percent.h"

#include <string.h>

#include "base/hex.h"

const char *percent_decode(const char *text, struct arena *arena, size_t *size, struct error *err) {
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
			const int high = hex_digit_value(c[1]),
				  low = high < 0 ? -1 : hex_digit_value(c[2]);
			if (low < 0) {
				error_set(err, ERROR_BROKEN_ASSET,
					"%% without two hexadecimal digits");
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
