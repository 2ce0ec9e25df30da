/* Files in and out, with what went wrong on standard error. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* Appends a whole file to out. */
bool file_read(const char *path, struct buffer *out);

/* Writes a whole file, as output.h says. */
bool file_write(const char *path, const struct buffer *content, bool is_text);
