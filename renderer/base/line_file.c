// Text files with one entry per line.
#include "base/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/log.h"

/* Maximum size of a file, far above that of real ones. */
#define MAX_FILE_BYTES (1 << 20)

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r';
}

struct span span_trim(struct span text) {
	while (text.length > 0 && is_space(*text.start)) {
		text.start++;
		text.length--;
	}
	while (text.length > 0 && is_space(text.start[text.length - 1])) {
		text.length--;
	}
	return text;
}

struct span span_take_word(struct span *text) {
	struct span word = {text->start, 0};
	while (word.length < text->length && !is_space(word.start[word.length])) {
		word.length++;
	}
	*text = span_trim((struct span){text->start + word.length, text->length - word.length});
	return word;
}

bool span_is(struct span text, const char *word) {
	return strlen(word) == text.length && memcmp(text.start, word, text.length) == 0;
}

bool span_begins(struct span text, const char *start) {
	const size_t length = strlen(start);
	return text.length >= length && memcmp(text.start, start, length) == 0;
}

void span_quote(struct span text, char quoted[static UTF8_QUOTED_BYTES]) {
	char copy[2 * UTF8_QUOTED_BYTES];
	snprintf(copy, sizeof copy, "%.*s", (int)text.length, text.start);
	utf8_trim(copy);
	utf8_quote(copy, quoted, UTF8_QUOTED_BYTES);
}

bool line_error(const struct line *line, struct error *err, const char *format, ...) {
	char text[sizeof err->text];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_INVALID_VALUE, "%s:%d: %s", line->path, line->number, text);
}

/* Reads to the end, because pipes have no size. */
static bool read_all(const char *path, struct buffer *bytes, struct error *err) {
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = file < 0 ? -1 : 1;
	while (count > 0 && bytes->size <= MAX_FILE_BYTES) {
		count = read(file, buffer_reserve(bytes, 65536), 65536);
		bytes->size += count > 0 ? (size_t)count : 0;
	}
	const int reason = errno;
	if (file >= 0) {
		close(file);
	}
	if (count < 0) {
		return error_set(
			err, ERROR_INVALID_VALUE, "cannot read %s: %s", path, strerror(reason));
	}
	return bytes->size <= MAX_FILE_BYTES ||
		error_set(err, ERROR_INVALID_VALUE, "%s is larger than %d bytes", path,
			MAX_FILE_BYTES);
}

bool line_file_read(const char *path,
	bool (*take)(void *context, const struct line *line, struct error *err), void *context,
	struct error *err) {
	struct buffer bytes = {0};
	bool ok = read_all(path, &bytes, err);
	const char *start = (const char *)bytes.data;
	const char *const end = start + bytes.size;
	struct line line = {.path = path};
	while (ok && start < end) {
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		const char *stop = newline ? newline : end;
		line.number++;
		line.text = span_trim((struct span){start, (size_t)(stop - start)});
		if (memchr(line.text.start, '\0', line.text.length)) {
			ok = line_error(&line, err, "a byte is zero");
		} else if (line.text.length > 0 && *line.text.start != '#') {
			ok = take(context, &line, err);
		}
		start = stop + 1;
	}
	buffer_finish(&bytes);
	return ok;
}

void line_file_warn_exposed(const char *path) {
	struct stat status;
	if (stat(path, &status) == 0 && (status.st_mode & S_IROTH)) {
		log_line(LOG_WARNING,
			"%s can be read by everyone on this machine: chmod o-r keeps its secrets",
			path);
	}
}
