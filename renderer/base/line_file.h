/* Text files written by people, with one entry per line. Empty lines and comments after "#" are
 * skipped; spaces and tabs around a line are ignored. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/utf8.h"

/* Text within a line; not ended by NUL. */
struct span {
	const char *start;
	size_t length;
};

/* Removes spaces and tabs at both ends. */
struct span span_trim(struct span text);

/* Removes the first word and the space after it from a text. Empty when there is none. */
struct span span_take_word(struct span *text);

bool span_is(struct span text, const char *word);
bool span_begins(struct span text, const char *start);

/* utf8_quote() of a span. */
void span_quote(struct span text, char quoted[static UTF8_QUOTED_BYTES]);

/* A line with an entry. */
struct line {
	const char *path;
	int number;       // from 1
	struct span text; // trimmed, not empty, without NUL
};

/* error_set() with "path:number: " in front, ERROR_INVALID_VALUE. Always returns false. */
__attribute__((format(printf, 3, 4))) bool line_error(
	const struct line *line, struct error *err, const char *format, ...);

/* Passes the lines of a file or pipe to take(), which must copy what it needs. False with
 * ERROR_INVALID_VALUE when the file cannot be read, is larger than 1 MiB or has a zero byte, or
 * with take()'s error. */
bool line_file_read(const char *path,
	bool (*take)(void *context, const struct line *line, struct error *err), void *context,
	struct error *err);

/* Logs a warning when users other than the owner and the group can read a file with secrets. */
void line_file_warn_exposed(const char *path);
