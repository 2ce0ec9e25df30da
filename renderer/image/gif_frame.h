/* One frame of a GIF. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"

struct sequence_settings;

/* Appends a frame as a GIF of its own, with a palette of its own.
 *
 * rgba  [height][width][4], straight alpha: what is less than half opaque becomes transparent, the
 *       rest opaque. Colours are dithered unless settings->plain_colors
 * Fails with ERROR_TOO_LARGE when memory is out, ERROR_INTERNAL with giflib's words. Any thread. */
bool gif_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *out, struct error *err);

/* What stands before the frame in such a file and what behind it, in bytes; and where in the frame
 * its time stands, 16 bits of hundredths of a second, low byte first. */
#define GIF_HEAD_BYTES 13
#define GIF_TAIL_BYTES 1
#define GIF_DELAY_AT 4
