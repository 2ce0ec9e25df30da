/* Bodies that are multipart/form-data (RFC 7578), of files: as browsers, curl and most HTTP
 * libraries send them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* A part, which is a file. */
struct form_file {
	const char *path;  // its filename: UTF-8 without control characters; folders and all
	const void *bytes; // [size], of the body
	size_t size;
};

/* Takes a body apart. The list [count > 0] and its paths lie in the arena, the bytes are the
 * body's. NULL with ERROR_INVALID_VALUE and the number of the part, or ERROR_TOO_LARGE beyond
 * LIMIT_FORM_FILES.
 *
 * content_type  the header with its boundary
 *
 * In a filename `%22` and `\"` stand for a quotation mark, as browsers and older programs write it;
 * all other percent signs and backslashes are what they are. */
struct form_file *form_data_read(const char *content_type, const void *body, size_t size,
	struct arena *arena, size_t *count, struct error *err);
