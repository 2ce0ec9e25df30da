/* Counts the frames of a file that comes in pieces, where its format says ahead how long each part
 * is: animated PNG, GIF and tar. For people who wait, not for checks: what is no such file counts
 * as anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Zero it before use. */
struct frame_count {
	const struct frame_format *format; // NULL = frame_count_begin() knows none
	unsigned char head[512];           // of the part that begins
	size_t have, want;                 // bytes of it
	int place;                         // the number of the part, of several
	size_t skip;                       // bytes until the next
	size_t frames;                     // that have begun
};

/* False where frames of that media type cannot be counted. */
bool frame_count_begin(struct frame_count *count, const char *media_type);

/* The next bytes, after a frame_count_begin() that was true. */
void frame_count_add(struct frame_count *count, const void *bytes, size_t size);
