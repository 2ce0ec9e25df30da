// The rule for names of rigs.
#include "name.h"

#include <string.h>

#include "base/utf8.h"
#include "limits.h"
#include "url_text.h"

/* C0 controls and DEL, and the C1 controls U+0080 to U+009F as UTF-8 writes them. */
static bool has_control_character(const char *name) {
	for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
		if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)) {
			return true;
		}
	}
	return false;
}

bool name_check(const char *name, struct error *err) {
	const size_t length = strlen(name);
	if (length == 0 || length > LIMIT_NAME_BYTES) {
		return error_set(err, ERROR_INVALID_NAME,
			"the name has %zu bytes, must have 1 to %d bytes of UTF-8", length,
			LIMIT_NAME_BYTES);
	}
	if (!utf8_is_valid(name, length)) {
		return error_set(err, ERROR_INVALID_NAME, "the name is not UTF-8");
	}
	if (has_control_character(name)) {
		return error_set(err, ERROR_INVALID_NAME,
			"the name has a control character, which names may not have");
	}
	if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		return error_set(err, ERROR_INVALID_NAME,
			"\"%s\" is no name: it may not have a \"/\", nor be \".\" or \"..\"", name);
	}
	return true;
}

const char *name_decode(
	struct arena *arena, const char *segment, size_t length, struct error *err) {
	const char *name = url_decode(arena, segment, length);
	if (!name) {
		error_set(err, ERROR_INVALID_NAME,
			"the name in the path is not percent-encoded UTF-8");
		return NULL;
	}
	return name_check(name, err) ? name : NULL;
}
