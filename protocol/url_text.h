/* Text as it travels in URLs: percent-encoding, base64. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"

/* Undoes percent-encoding. NULL when an escape is broken, when it hides a NUL, or when the result
 * is not UTF-8. */
char *url_decode(struct arena *arena, const char *text, size_t length);

/* Escapes everything but letters, digits, "-", ".", "_" and "~" (RFC 3986's unreserved). */
char *url_encode(struct arena *arena, const char *text);

/* Base64 with padding, as data: URLs have it. */
void text_put_base64(struct buffer *out, const void *bytes, size_t size);
