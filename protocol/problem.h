/* Errors as application/problem+json (RFC 9457). */
#pragma once

#include "base/buffer.h"
#include "base/error.h"

/* The HTTP status of a code. */
int problem_status(enum error_code code);

/* Writes the document. by_query: the request came as query parameters, so that its places are
 * named by `parameter` instead of `pointer`. */
void problem_write(const struct error *err, bool by_query, struct buffer *out);
