/* Text files that people write, in which every line says one thing. Empty lines and those that
 * begin with "#" say nothing; spaces and tabs around a line do not count. */
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

/* Without the spaces and tabs around it. */
struct span span_trim(struct span text);

/* Takes the first word off a text, which goes on behind it and the space there. Empty when there is
 * none. */
struct span span_take_word(struct span *text);

bool span_is(struct span text, const char *word);
bool span_begins(struct span text, const char *start);

/* utf8_quote() of a span. */
void span_quote(struct span text, char quoted[static UTF8_QUOTED_BYTES]);

/* A line that says something. */
struct line {
	const char *path;
	int number;       // from 1
	struct span text; // trimmed, not empty, without NUL
};

/* error_set() with "path:number: " in front, ERROR_INVALID_VALUE. Always returns false. */
__attribute__((format(printf, 3, 4))) bool line_error(
	const struct line *line, struct error *err, const char *format, ...);

/* Hands the lines of a file, whatever it is, to take(), which may keep no part of them. False with
 * ERROR_INVALID_VALUE when the file cannot be read, is larger than 1 MiB or has a byte that is
 * zero, or with what take() fails with. */
bool line_file_read(const char *path,
	bool (*take)(void *context, const struct line *line, struct error *err), void *context,
	struct error *err);

/* Logs a warning when a file with secrets can be read by others than its owner and its group. */
void line_file_warn_exposed(const char *path);
