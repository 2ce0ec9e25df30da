/* The ways in which terminals take pictures: one function each, and how they are told apart. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* Append what the terminal is to read. False with a sentence on standard error. */

/* Kitty's graphics protocol: PNG in base64, in pieces of at most 4096 bytes.
 * Source: https://sw.kovidgoyal.net/kitty/graphics-protocol/ */
bool show_kitty(const struct buffer *picture, struct buffer *out);

/* iTerm2's inline images: any format that the Mac knows.
 * Source: https://iterm2.com/documentation-images.html */
bool show_iterm2(const struct buffer *picture, struct buffer *out);

/* DEC's sixels, through libsixel where it was there when this was built. */
bool show_sixel(const struct buffer *picture, struct buffer *out);

/* The name of the way that this terminal knows, by its environment, or else by what it answers when
 * it is asked. NULL = none, or it did not answer. */
const char *show_detect(void);
