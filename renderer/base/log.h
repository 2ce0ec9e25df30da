/* One line on standard error per event, with the time and a level. Any thread. */
#pragma once

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

/* Writes "2026-01-31T12:00:00.000Z info text" in one write. LOG_DEBUG is written only when the
 * environment variable POSED_DEBUG is set. */
__attribute__((format(printf, 2, 3))) void log_line(enum log_level level, const char *format, ...);
