/* Files in and out, with what went wrong on standard error. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* Appends a whole file to out. */
bool file_read(const char *path, struct buffer *out);

/* Writes a whole file; NULL and "-" are standard output, which must not be a terminal where the
 * bytes are not text. A file is there when it is whole: until then what was there before stays. */
bool file_write(const char *path, const struct buffer *content, bool is_text);
