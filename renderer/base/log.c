// Log lines on standard error.
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {[LOG_DEBUG] = "debug",
	[LOG_INFO] = "info",
	[LOG_WARNING] = "warning",
	[LOG_ERROR] = "error"};

void log_line(enum log_level level, const char *format, ...) {
	if (level == LOG_DEBUG && !getenv("POSED_DEBUG")) {
		return;
	}
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	struct tm utc;
	gmtime_r(&now.tv_sec, &utc);
	char line[2048];
	size_t used = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%S", &utc);
	used += (size_t)snprintf(line + used, sizeof line - used, ".%03ldZ %s ",
		now.tv_nsec / 1000000, level_names[level]);
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
	va_end(arguments);
	if (length > 0) {
		const size_t room = sizeof line - used - 2;
		used += (size_t)length < room ? (size_t)length : room;
	}
	line[used++] = '\n';
	if (write(STDERR_FILENO, line, used) < 0) {
		// Nowhere left to say it: standard error itself is gone.
		return;
	}
}
