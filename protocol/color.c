// Colours in requests.
#include "color.h"

#include <string.h>

#include "base/hex.h"
#include "url_text.h"

bool color_read(const struct value *value, double color[static 4], struct error *err) {
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_STRING && strcmp(value->string, "transparent") == 0) {
		memset(color, 0, 4 * sizeof *color);
		return true;
	}
	const char *text = value->kind == VALUE_STRING ? value->string : "";
	const size_t length = strlen(text);
	bool good = text[0] == '#' && (length == 7 || length == 9);
	color[3] = 1;
	for (size_t i = 0; good && 2 * i + 1 < length; i++) {
		const int high = hex_digit_value(text[1 + 2 * i]);
		const int low = hex_digit_value(text[2 + 2 * i]);
		good = high >= 0 && low >= 0;
		color[i] = (high * 16 + low) / 255.0;
	}
	if (!good) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" is %s%s%s, must be \"#rrggbb\", \"#rrggbbaa\" or \"transparent\"",
			value->key, *text ? "\"" : "", *text ? text : value_kind_name(value->kind),
			*text ? "\"" : "");
	}
	return true;
}
