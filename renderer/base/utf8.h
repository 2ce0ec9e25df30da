/* UTF-8: whether text is well-formed, and text that was cut at a byte. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Bytes of the well-formed UTF-8 character that text starts with, of left > 0 bytes; 0 if it is
 * malformed (a surrogate or overlong form, too). */
size_t utf8_character_bytes(const char *text, size_t left);

/* The code point of a well-formed character of so many bytes. */
unsigned utf8_code_point(const char *start, size_t bytes);

/* True when length bytes are well-formed UTF-8. */
bool utf8_is_valid(const char *text, size_t length);

/* Cuts a text that lost its end at some byte (snprintf into a full buffer) back to its last whole
 * character. Text that ends with a whole character stays as it is. */
void utf8_trim(char *text);

/* Room for a quoted name that a person can still take in. */
#define UTF8_QUOTED_BYTES 96

/* Writes a text in quotation marks for a message: control characters as '?', cut at a whole
 * character and marked "..." where it does not fit. size is at least 8 bytes. */
void utf8_quote(const char *text, char *quoted, size_t size);

/* Adds a text, quoted in the same way, to a list of them in the arena: "a, b". texts: NULL = it is
 * the first. */
const char *utf8_list_quoted(struct arena *arena, const char *texts, const char *text);
