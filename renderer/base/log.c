// Log lines on standard error.
#include "base/log.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_write.h"
#include "base/number.h"
#include "base/utf8.h"

/* Bytes of log_line's message. */
#define MESSAGE_BYTES 2048

/* Bytes that wait at most for others: what a pipe takes at once. */
#define WAITING_BYTES 65536

/* Bytes that wait for a reader who does not read. Once lines are lost, none is added until half of
 * them are read, so that there is one gap and not many. */
#define HELD_BYTES (256 * 1024)

/* The time that log_end() waits for the reader. */
#define END_S 1

/* "2026-01-31T12:00:00", of which a second's lines share one. */
#define SECOND_BYTES 20

static const char *const level_names[] = {[LOG_DEBUG] = "debug",
	[LOG_INFO] = "info",
	[LOG_WARNING] = "warning",
	[LOG_ERROR] = "error"};

/* Read by every thread, set at the start and at a reload. A line in the old form while that is
 * going on does no harm, so no order is asked of them. */
static atomic_int min_level = LOG_INFO, line_format = LOG_TEXT;

static atomic_bool behind; // the reader has not read all that was to be written

static _Thread_local const char *request; // what log_set_request() said

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static struct buffer waiting;
static bool never_waits, is_socket; // see log_never_wait()
static int64_t lost;                // lines since the last one that was taken
static time_t second = -1;          // that second_text names
static char second_text[SECOND_BYTES];

void log_configure(enum log_level least, enum log_format format) {
	atomic_store_explicit(&min_level, least, memory_order_relaxed);
	atomic_store_explicit(&line_format, format, memory_order_relaxed);
}

void log_never_wait(void) {
	struct stat there;
	pthread_mutex_lock(&mutex);
	never_waits = true;
	is_socket = fstat(STDERR_FILENO, &there) == 0 && S_ISSOCK(there.st_mode);
	pthread_mutex_unlock(&mutex);
}

void log_set_request(const char *id) {
	request = id;
}

static bool is_wanted(enum log_level level) {
	return (int)level >= atomic_load_explicit(&min_level, memory_order_relaxed);
}

static void put(const char *text) {
	buffer_append(&waiting, text, strlen(text));
}

/* "2026-01-31T12:00:00.000Z" */
static void write_time(char text[static SECOND_BYTES + 8]) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec != second) {
		struct tm utc;
		gmtime_r(&now.tv_sec, &utc);
		strftime(second_text, sizeof second_text, "%Y-%m-%dT%H:%M:%S", &utc);
		second = now.tv_sec;
	}
	const int ms = (int)(now.tv_nsec / 1000000);
	const char digits[] = {'.', (char)('0' + ms / 100), (char)('0' + ms / 10 % 10),
		(char)('0' + ms % 10), 'Z', '\0'};
	memcpy(text, second_text, SECOND_BYTES - 1);
	memcpy(text + SECOND_BYTES - 1, digits, sizeof digits);
}

static void put_json_field(struct json_writer *json, const struct log_field *field) {
	json_write_key(json, field->name);
	switch (field->kind) {
	case LOG_STRING:
		json_write_string(json, field->value.string);
		return;
	case LOG_INTEGER:
		json_write_integer(json, field->value.integer);
		return;
	case LOG_NUMBER:
		if (isfinite((float)field->value.number)) {
			json_write_float(json, (float)field->value.number);
		} else {
			json_write_null(json);
		}
		return;
	}
}

static void put_json(
	enum log_level level, const char *message, const struct log_field *fields, size_t count) {
	char time[SECOND_BYTES + 8];
	write_time(time);
	struct json_writer json = {.out = &waiting};
	json_write_begin_object(&json);
	json_write_member_string(&json, "time", time);
	json_write_member_string(&json, "level", level_names[level]);
	json_write_member_string(&json, "message", message);
	if (request) {
		json_write_member_string(&json, "request", request);
	}
	for (size_t i = 0; i < count; i++) {
		put_json_field(&json, &fields[i]);
	}
	json_write_end_object(&json);
}

/* Text that stays one line, whatever it holds. */
static void put_message(const char *message) {
	for (const char *c = message; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			char escape[8];
			snprintf(escape, sizeof escape, "\\x%02x", *c);
			put(*c == '\n' ? "\\n" : escape);
		} else {
			buffer_append(&waiting, c, 1);
		}
	}
}

/* As it is where nobody could take it for something else, else as in JSON. */
static void put_value(const char *value) {
	bool plain = *value;
	for (const char *c = value; *c && plain; c++) {
		plain = *c > ' ' && *c < 0x7f && *c != '"' && *c != '=' && *c != '\\';
	}
	if (plain) {
		put(value);
	} else {
		struct json_writer json = {.out = &waiting};
		json_write_string(&json, value);
	}
}

static void put_text_field(const struct log_field *field) {
	struct json_writer json = {.out = &waiting};
	put(" ");
	put(field->name);
	put("=");
	switch (field->kind) {
	case LOG_STRING:
		put_value(field->value.string);
		return;
	case LOG_INTEGER:
		json_write_integer(&json, field->value.integer);
		return;
	case LOG_NUMBER:
		if (isfinite((float)field->value.number)) {
			json_write_float(&json, (float)field->value.number);
		} else {
			put("nan");
		}
		return;
	}
}

static void put_text(
	enum log_level level, const char *message, const struct log_field *fields, size_t count) {
	char time[SECOND_BYTES + 8];
	write_time(time);
	put(time);
	put(" ");
	put(level_names[level]);
	put(" ");
	put_message(message);
	if (request) {
		const struct log_field field = log_string("request", request);
		put_text_field(&field);
	}
	for (size_t i = 0; i < count; i++) {
		put_text_field(&fields[i]);
	}
}

/* Bytes up to the end of a line that a pipe takes all at once or not at all. */
static size_t at_once(const unsigned char *bytes, size_t size) {
	if (size <= PIPE_BUF) {
		return size;
	}
	size_t end = PIPE_BUF;
	while (end > 0 && bytes[end - 1] != '\n') {
		end--;
	}
	return end > 0 ? end : PIPE_BUF;
}

/* Writes some bytes, as write() does; with EAGAIN where that would mean to wait. */
static ssize_t write_some(const unsigned char *bytes, size_t size) {
	struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
	if (!never_waits) {
		return write(STDERR_FILENO, bytes, size);
	}
	if (is_socket) {
		return send(STDERR_FILENO, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	if (poll(&file, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(STDERR_FILENO, bytes, at_once(bytes, size));
}

/* Under the mutex. What cannot be written is gone: there is nowhere left to say it. What nobody
 * reads yet stays. */
static void write_waiting(void) {
	size_t written = 0;
	bool stays = false;
	while (written < waiting.size && !stays) {
		const ssize_t count = write_some(waiting.data + written, waiting.size - written);
		stays = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
		if (count < 0 && errno != EINTR && !stays) {
			break;
		}
		written += count > 0 ? (size_t)count : 0;
	}
	waiting.size = stays ? waiting.size - written : 0;
	if (stays && written > 0) {
		memmove(waiting.data, waiting.data + written, waiting.size);
	}
	atomic_store_explicit(&behind, stays || lost > 0, memory_order_relaxed);
}

static void put_line(
	enum log_level level, const char *message, const struct log_field *fields, size_t count) {
	if (atomic_load_explicit(&line_format, memory_order_relaxed) == LOG_JSON) {
		put_json(level, message, fields, count);
	} else {
		put_text(level, message, fields, count);
	}
	put("\n");
}

/* True when there is room for a line; then those that were lost are counted in one before it. */
static bool make_room(void) {
	if (waiting.size >= (lost > 0 ? HELD_BYTES / 2 : HELD_BYTES)) {
		write_waiting();
	}
	if (waiting.size >= (lost > 0 ? HELD_BYTES / 2 : HELD_BYTES)) {
		return false;
	}
	if (lost > 0) {
		const struct log_field field = log_integer("lines", lost);
		const char *of_thread = request;
		request = NULL;
		put_line(LOG_WARNING, "lines of the log are lost: nobody read them", &field, 1);
		request = of_thread;
		lost = 0;
	}
	return true;
}

static void add(enum log_level level, const char *message, const struct log_field *fields,
	size_t count, bool now) {
	pthread_mutex_lock(&mutex);
	if (make_room()) {
		put_line(level, message, fields, count);
		if (now || waiting.size >= WAITING_BYTES) {
			write_waiting();
		}
	} else {
		lost++;
	}
	pthread_mutex_unlock(&mutex);
}

void log_line(enum log_level level, const char *format, ...) {
	if (!is_wanted(level)) {
		return;
	}
	char message[MESSAGE_BYTES];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (length >= (int)sizeof message) {
		utf8_trim(message);
	}
	add(level, message, NULL, 0, true);
}

void log_event(
	enum log_level level, const char *message, const struct log_field *fields, size_t count) {
	if (is_wanted(level)) {
		add(level, message, fields, count, true);
	}
}

void log_event_later(
	enum log_level level, const char *message, const struct log_field *fields, size_t count) {
	if (is_wanted(level)) {
		add(level, message, fields, count, false);
	}
}

void log_flush(void) {
	pthread_mutex_lock(&mutex);
	write_waiting();
	if (lost > 0 && make_room()) {
		write_waiting();
	}
	pthread_mutex_unlock(&mutex);
}

bool log_is_behind(void) {
	return atomic_load_explicit(&behind, memory_order_relaxed);
}

void log_end(void) {
	const double end_s = clock_now_s() + END_S;
	for (log_flush(); log_is_behind() && clock_now_s() < end_s; log_flush()) {
		struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
		poll(&file, 1, (int)ceil(fmax(end_s - clock_now_s(), 0) * 1000));
	}
}
