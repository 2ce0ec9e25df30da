// The configuration file: lines of "key = value", empty ones, and comments behind "#".
#include "config_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/utf8.h"

/* Bytes of a file: a thousand times what a real one has. */
#define FILE_BYTES_MOST (1 << 20)

/* The line that is being read. */
struct place {
	const char *path;
	int line; // from 1
};

/* Whatever the file is: a pipe has no size before its end. */
static bool read_all(const char *path, struct buffer *bytes, struct error *err) {
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = file < 0 ? -1 : 1;
	while (count > 0 && bytes->size <= FILE_BYTES_MOST) {
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
	return bytes->size <= FILE_BYTES_MOST ||
		error_set(err, ERROR_INVALID_VALUE, "%s is larger than %d bytes", path,
			FILE_BYTES_MOST);
}

/* Text within a line. */
struct span {
	const char *start;
	size_t length;
};

static struct span trim(const char *start, size_t length) {
	static const char space[] = {' ', '\t', '\r'};
	while (length > 0 && memchr(space, *start, sizeof space)) {
		start++;
		length--;
	}
	while (length > 0 && memchr(space, start[length - 1], sizeof space)) {
		length--;
	}
	return (struct span){start, length};
}

static void quote(struct span text, char quoted[static UTF8_QUOTED_BYTES]) {
	char copy[2 * UTF8_QUOTED_BYTES];
	snprintf(copy, sizeof copy, "%.*s", (int)text.length, text.start);
	utf8_trim(copy);
	utf8_quote(copy, quoted, UTF8_QUOTED_BYTES);
}

/* Writes "listen, data, ..."; cut at size. */
static void list_keys(char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (size_t o = 0; o < option_count() && used < size; o++) {
		if (!(option_at(o)->traits & OPTION_ELSEWHERE)) {
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
				option_key(option_at(o)));
		}
	}
}

static bool refuse_key(const struct place *place, struct span key, struct error *err) {
	char asked[UTF8_QUOTED_BYTES], quoted[UTF8_QUOTED_BYTES], nearby[128], known[512];
	snprintf(asked, sizeof asked, "%.*s", (int)key.length, key.start);
	quote(key, quoted);
	struct nearest nearest = {.asked = asked};
	for (size_t o = 0; o < option_count(); o++) {
		if (!(option_at(o)->traits & OPTION_ELSEWHERE)) {
			nearest_offer(&nearest, option_key(option_at(o)));
		}
	}
	nearest_write(&nearest, nearby, sizeof nearby);
	list_keys(known, sizeof known);
	return error_set(err, ERROR_INVALID_VALUE, "%s:%d: no key %s; nearest: %s; known are: %s",
		place->path, place->line, quoted, nearby, known);
}

static bool take_line(
	struct settings *settings, const struct place *place, struct span line, struct error *err) {
	const char *equals = memchr(line.start, '=', line.length);
	if (!equals) {
		char quoted[UTF8_QUOTED_BYTES];
		quote(line, quoted);
		return error_set(err, ERROR_INVALID_VALUE,
			"%s:%d: %s is not of the form key = value", place->path, place->line,
			quoted);
	}
	const size_t before = (size_t)(equals - line.start);
	const struct span key = trim(line.start, before);
	const struct span value = trim(equals + 1, line.length - before - 1);
	const size_t option = option_find(key.start, key.length);
	if (option == option_count() || (option_at(option)->traits & OPTION_ELSEWHERE)) {
		return refuse_key(place, key, err);
	}
	const struct text *there = &settings->options[option].by[SOURCE_FILE];
	if (there->value) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s:%d: %s is there twice, first in line %d", place->path, place->line,
			option_key(option_at(option)), there->line);
	}
	settings_put(settings, option, SOURCE_FILE, value.start, value.length, place->line);
	return true;
}

static bool take_lines(struct settings *settings, const char *path, const char *bytes, size_t size,
	struct error *err) {
	const char *const end = bytes + size;
	struct place place = {path, 1};
	for (const char *start = bytes; start < end; place.line++) {
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		const char *stop = newline ? newline : end;
		const struct span line = trim(start, (size_t)(stop - start));
		if (memchr(line.start, '\0', line.length)) {
			return error_set(err, ERROR_INVALID_VALUE, "%s:%d: a byte is zero", path,
				place.line);
		}
		const bool says = line.length > 0 && *line.start != '#';
		if (says && !take_line(settings, &place, line, err)) {
			return false;
		}
		start = stop + 1;
	}
	return true;
}

bool settings_take_file(struct settings *settings, const char *path, struct error *err) {
	struct buffer bytes = {0};
	const bool taken = read_all(path, &bytes, err) &&
		take_lines(settings, path, (const char *)bytes.data, bytes.size, err);
	buffer_finish(&bytes);
	return taken;
}
