/* Progress on standard error, for those who look at a terminal: a line that is written anew. */
#pragma once

#include "frame_count.h"
#include "posed.h"

/* Writes the line anew; nothing where there is no terminal. */
__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);

/* Takes it away. */
void progress_end(void);

/* The progress of a response that comes while it is made. Zero it before use. */
struct arrival {
	size_t bytes; // so far
	struct frame_count frames;
};

/* Takes note of the next bytes of an answer whose headers are there, and shows the share of it that
 * has come: of its bytes where it says how many there are, of its frames where it says so and they
 * can be counted. */
void arrival_show(
	struct arrival *arrival, const struct posed_answer *answer, const void *bytes, size_t size);
