// Progress on standard error.
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void progress_show(const char *format, ...) {
	if (isatty(STDERR_FILENO)) {
		va_list values;
		va_start(values, format);
		fputc('\r', stderr);
		vfprintf(stderr, format, values);
		fputs("\033[K", stderr);
		va_end(values);
	}
}

void progress_end(void) {
	if (isatty(STDERR_FILENO)) {
		fputs("\r\033[K", stderr);
	}
}

static size_t number_of(const struct posed_answer *answer, const char *name) {
	const char *value = posed_answer_header(answer, name);
	return value ? (size_t)strtoull(value, NULL, 10) : 0;
}

/* True when the frames are counted; their number so far is in arrival->frames. */
static bool count(struct arrival *arrival, const struct posed_answer *answer, const void *bytes,
	size_t size) {
	const char *type = posed_answer_header(answer, "Content-Type");
	const bool is_first = arrival->bytes == 0;
	if (is_first && (!type || !frame_count_begin(&arrival->frames, type))) {
		return false;
	}
	if (arrival->frames.format) {
		frame_count_add(&arrival->frames, bytes, size);
	}
	return arrival->frames.format;
}

void arrival_show(struct arrival *arrival, const struct posed_answer *answer, const void *bytes,
	size_t size) {
	const size_t length = number_of(answer, "Content-Length");
	const size_t frames = number_of(answer, "Posed-Frames");
	const bool counted = count(arrival, answer, bytes, size);
	arrival->bytes += size;
	if (length > 0) {
		progress_show("%zu %% of %zu KiB", arrival->bytes * 100 / length, length / 1024);
	} else if (frames > 0 && counted) {
		progress_show("%zu of %zu frames", arrival->frames.frames, frames);
	} else if (frames > 0) {
		progress_show("%zu KiB of %zu frames", arrival->bytes / 1024, frames);
	} else {
		progress_show("%zu KiB", arrival->bytes / 1024);
	}
}
