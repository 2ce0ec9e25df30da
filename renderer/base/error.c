// The error idiom: fixed size, no allocation, first error wins.
#include "base/error.h"

#include <stdarg.h>

#include "base/utf8.h"

static const struct {
	const char *name;
	const char *title;
} codes[] = {
#define ERROR_ROW(identifier, name, title) {name, title},
	ERROR_CODES(ERROR_ROW)
#undef ERROR_ROW
};

__attribute__((format(printf, 3, 0))) static void fill(
	struct error *err, enum error_code code, const char *format, va_list arguments) {
	err->code = code;
	const int length = vsnprintf(err->text, sizeof err->text, format, arguments);
	if (length >= (int)sizeof err->text) {
		utf8_trim(err->text);
	}
}

bool error_set(struct error *err, enum error_code code, const char *format, ...) {
	if (err && err->code == ERROR_NONE) {
		va_list arguments;
		va_start(arguments, format);
		fill(err, code, format, arguments);
		va_end(arguments);
	}
	return false;
}

bool error_at(
	struct error *err, enum error_code code, const char *pointer, const char *format, ...) {
	if (err && err->code == ERROR_NONE) {
		va_list arguments;
		va_start(arguments, format);
		fill(err, code, format, arguments);
		va_end(arguments);
		const int length = snprintf(err->pointer, sizeof err->pointer, "%s", pointer);
		if (length >= (int)sizeof err->pointer) {
			utf8_trim(err->pointer);
		}
		err->has_pointer = true;
	}
	return false;
}

const char *error_name(enum error_code code) {
	return codes[code].name;
}

const char *error_title(enum error_code code) {
	return codes[code].title;
}
