// The error idiom: fixed size, no allocation, first error wins.
#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

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

static void place(struct error *err, const char *pointer) {
	const int length = snprintf(err->pointer, sizeof err->pointer, "%s", pointer);
	if (length >= (int)sizeof err->pointer) {
		utf8_trim(err->pointer);
	}
	err->has_pointer = true;
}

bool error_at(
	struct error *err, enum error_code code, const char *pointer, const char *format, ...) {
	if (err && err->code == ERROR_NONE) {
		va_list arguments;
		va_start(arguments, format);
		fill(err, code, format, arguments);
		va_end(arguments);
		place(err, pointer);
	}
	return false;
}

bool error_suggest(struct error *err, const char *format, ...) {
	assert(err->code != ERROR_NONE);
	const size_t used = strlen(err->text), room = sizeof err->text - used;
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(err->text + used, room, format, arguments);
	va_end(arguments);
	if (length >= (int)room) {
		utf8_trim(err->text);
	}
	err->plain_bytes = err->plain_bytes ? err->plain_bytes : used;
	return false;
}

void error_drop_suggestion(struct error *err) {
	if (err->plain_bytes) {
		err->text[err->plain_bytes] = '\0';
		err->plain_bytes = 0;
	}
}

void error_prefix(struct error *err, const char *format, ...) {
	const struct error plain = *err;
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(err->text, sizeof err->text, format, arguments);
	va_end(arguments);
	assert(length >= 0 && (size_t)length < sizeof err->text);
	const size_t used = (size_t)length, room = sizeof err->text - used;
	if (snprintf(err->text + used, room, "%s", plain.text) >= (int)room) {
		utf8_trim(err->text);
	}
	const size_t whole = strlen(err->text), moved = plain.plain_bytes + used;
	err->plain_bytes = !plain.plain_bytes ? 0 : moved < whole ? moved : whole;
}

bool error_pass(struct error *err, const struct error *why) {
	if (err && err->code == ERROR_NONE) {
		*err = *why;
	}
	return false;
}

bool error_pass_at(struct error *err, const char *pointer, const struct error *why) {
	if (err && err->code == ERROR_NONE) {
		*err = *why;
		place(err, pointer);
	}
	return false;
}

const char *error_name(enum error_code code) {
	return codes[code].name;
}

const char *error_title(enum error_code code) {
	return codes[code].title;
}
