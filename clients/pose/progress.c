// A line on standard error that tells how far something is.
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
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
