/* UTF-8 text that was cut at a byte. */
#pragma once

#include <stddef.h>

/* Cuts a text that lost its end at some byte (snprintf into a full buffer) back to its last whole
 * character. Text that ends with a whole character stays as it is. */
void utf8_trim(char *text);

/* Writes a text in quotation marks, cut at a whole character and marked "..." where it does not
 * fit. size is at least 8 bytes. */
void utf8_quote(const char *text, char *quoted, size_t size);
