/* Files in and out, with what went wrong on standard error. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "options.h"

/* True for the name of standard input: "-". */
bool file_is_input(const char *path);

/* Appends a whole file to out, or standard input. */
bool file_read(const struct arguments *arguments, const char *path, struct buffer *out);

/* Writes a whole file, as output.h says. */
bool file_write(const struct arguments *arguments, const char *path, const struct buffer *content,
	bool is_text);
