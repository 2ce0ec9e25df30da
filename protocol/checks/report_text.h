/* Text of reports: escapes, numbers. Text that is no UTF-8 becomes U+FFFD. */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

/* The text that stands for a character; NULL = itself. */
typedef const char *(*text_escape)(unsigned code_point);

/* Control characters become '?'. */
const char *text_escape_controls(unsigned code_point);

/* For content and attributes of XML 1.0 and HTML: what XML cannot carry becomes U+FFFD. */
const char *text_escape_markup(unsigned code_point);

void text_put(struct buffer *out, const char *text);
void text_put_escaped(struct buffer *out, const char *text, text_escape escape);
__attribute__((format(printf, 2, 3))) void text_printf(struct buffer *out, const char *format, ...);

/* 4 significant digits; "?" for what is no number. */
void text_put_number(struct buffer *out, double value);

/* All but unreserved characters and '/' in percent. */
void text_put_uri_path(struct buffer *out, const char *path);

/* The same with '/' in percent, too. */
void text_put_uri_component(struct buffer *out, const char *text);
