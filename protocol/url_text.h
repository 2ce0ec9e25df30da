/* Text as it travels in URLs: percent-encoding and UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Bytes of the well-formed UTF-8 character that text starts with, of left > 0 bytes; 0 if it is
 * malformed (a surrogate or overlong form, too). */
size_t utf8_character_bytes(const char *text, size_t left);

/* Whether length bytes are well-formed UTF-8. */
bool utf8_is_valid(const char *text, size_t length);

/* 0 to 15 for a hexadecimal digit of either case, -1 for anything else. */
int hex_digit_value(char c);

/* Undoes percent-encoding. NULL when an escape is broken, when it hides a NUL, or when the result
 * is not UTF-8. */
char *url_decode(struct arena *arena, const char *text, size_t length);

/* Escapes everything but letters, digits, "-", ".", "_" and "~" (RFC 3986's unreserved). */
char *url_encode(struct arena *arena, const char *text);
