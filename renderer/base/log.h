/* The log: one line on standard error per event, with the time and a level, as text for people or
 * as JSON for programs. Any thread. What is kept between calls (how lines are written, and those
 * that wait) is the process's, as standard error is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

/* LOG_TEXT: 2026-01-31T12:00:00.000Z info message name=value name="value with spaces"
 * LOG_JSON: {"time":"2026-01-31T12:00:00.000Z","level":"info","message":"message","name":"value"}
 */
enum log_format { LOG_TEXT, LOG_JSON };

/* A name and its value. Made by the functions below. */
struct log_field {
	const char *name; // snake_case
	enum log_kind { LOG_STRING, LOG_INTEGER, LOG_NUMBER } kind;
	union {
		const char *string; // LOG_STRING; UTF-8, else what is malformed becomes U+FFFD
		int64_t integer;    // LOG_INTEGER
		double number;      // LOG_NUMBER, written with the digits of a float32
	} value;
};

static inline struct log_field log_string(const char *name, const char *string) {
	return (struct log_field){.name = name, .kind = LOG_STRING, .value.string = string};
}

static inline struct log_field log_integer(const char *name, int64_t integer) {
	return (struct log_field){.name = name, .kind = LOG_INTEGER, .value.integer = integer};
}

static inline struct log_field log_number(const char *name, double number) {
	return (struct log_field){.name = name, .kind = LOG_NUMBER, .value.number = number};
}

/* The least level that is written (LOG_INFO unless set), and the form of lines (LOG_TEXT). */
void log_configure(enum log_level least, enum log_format format);

/* From now on no thread waits for whoever reads standard error: up to 256 KiB wait for the reader,
 * lines beyond are lost, and the next one says how many. For services. */
void log_never_wait(void);

/* The request that this thread works on from now on: each of its lines names it. NULL = none.
 * id is borrowed until the next call. */
void log_set_request(const char *id);

/* Writes a line. A message of more than 2 KiB is cut. */
__attribute__((format(printf, 2, 3))) void log_line(enum log_level level, const char *format, ...);

/* Writes a message with fields [count]. */
void log_event(
	enum log_level level, const char *message, const struct log_field *fields, size_t count);

/* The same for lines that come by the ten thousand: they wait for the next line of another kind,
 * for 64 KiB of them, or for log_flush(), and are written together. */
void log_event_later(
	enum log_level level, const char *message, const struct log_field *fields, size_t count);

/* Writes what waits. */
void log_flush(void);

/* True while the reader of standard error is behind: log_flush() is to be called now and then. */
bool log_is_behind(void);

/* Writes what waits before the process ends, and gives the reader a second for it. */
void log_end(void);
