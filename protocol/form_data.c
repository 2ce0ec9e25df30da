// multipart/form-data -> files.
#include "form_data.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "limits.h"
#include "media.h"

/* Characters of a boundary (RFC 2046, 5.1.1). */
#define BOUNDARY_MAX 70

/* Bytes of a part's headers: a name of 4 KiB, and room for others. */
#define HEADERS_MAX ((size_t)8192)

/* Bytes that are still to be read. */
struct rest {
	const char *at, *end;
};

struct form {
	struct arena *arena;
	struct rest rest;
	char delimiter[4 + BOUNDARY_MAX + 1]; // the line break that belongs to it, and the boundary
	size_t delimiter_bytes;
	struct form_file *files; // [room]
	size_t count, room;
};

/* --- Parameters of a header: "; name=value" --- */

static bool is_one_of(char c, const char *characters) {
	return c != '\0' && strchr(characters, c);
}

static void skip_spaces(struct rest *rest) {
	while (rest->at < rest->end && is_one_of(*rest->at, " \t")) {
		rest->at++;
	}
}

/* The text up to one of some characters, or to the end. */
static const char *take_until(struct rest *rest, const char *characters, struct arena *arena) {
	const char *start = rest->at;
	while (rest->at < rest->end && !is_one_of(*rest->at, characters)) {
		rest->at++;
	}
	return arena_strndup(arena, start, (size_t)(rest->at - start));
}

static bool is_escape(const char *c, const char *end) {
	return *c == '\\' && c + 1 < end && is_one_of(c[1], "\"\\");
}

/* A text in quotation marks, without them; NULL where there is no second one. */
static const char *take_quoted(struct rest *rest, struct arena *arena) {
	const char *start = ++rest->at;
	while (rest->at < rest->end && *rest->at != '"') {
		rest->at += is_escape(rest->at, rest->end) ? 2 : 1;
	}
	if (rest->at == rest->end) {
		return NULL;
	}
	char *text = arena_strndup(arena, start, (size_t)(rest->at - start)), *to = text;
	for (const char *c = start; c < rest->at; c++) {
		c += is_escape(c, rest->at) ? 1 : 0;
		*to++ = *c;
	}
	*to = '\0';
	rest->at++;
	return text;
}

struct parameter {
	const char *name, *value; // NULL = it has none that can be read
};

/* Takes the next parameter. False at the end. */
static bool take_parameter(struct rest *rest, struct arena *arena, struct parameter *parameter) {
	while (rest->at < rest->end && is_one_of(*rest->at, "; \t")) {
		rest->at++;
	}
	if (rest->at == rest->end) {
		return false;
	}
	*parameter = (struct parameter){.name = take_until(rest, "=; \t", arena)};
	skip_spaces(rest);
	if (rest->at < rest->end && *rest->at == '=') {
		rest->at++;
		skip_spaces(rest);
		parameter->value = rest->at < rest->end && *rest->at == '"'
			? take_quoted(rest, arena)
			: take_until(rest, "; \t", arena);
	}
	if (!parameter->value) {
		rest->at = rest->end;
	}
	return true;
}

/* The value of a parameter that a header may have once. False where it has it twice, or where
 * anything cannot be read; *value stays NULL where there is none. */
static bool find_parameter(
	struct rest rest, const char *name, struct arena *arena, const char **value) {
	struct parameter parameter;
	take_until(&rest, ";", arena); // the header's own value
	while (take_parameter(&rest, arena, &parameter)) {
		const bool is_it = strcasecmp(parameter.name, name) == 0;
		if (!parameter.value || (is_it && *value)) {
			return false;
		}
		*value = is_it ? parameter.value : *value;
	}
	return true;
}

static bool read_boundary(struct form *form, const char *content_type, struct error *err) {
	const struct rest header = {content_type, content_type + strlen(content_type)};
	const char *boundary = NULL;
	if (!find_parameter(header, "boundary", form->arena, &boundary) || !boundary) {
		return error_set(err, ERROR_INVALID_VALUE,
			"Content-Type of a form must have one parameter \"boundary\"");
	}
	const size_t length = strlen(boundary);
	if (length == 0 || length > BOUNDARY_MAX) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the form's boundary has %zu characters, must have 1 to %d", length,
			BOUNDARY_MAX);
	}
	memcpy(form->delimiter, "\r\n--", 4);
	memcpy(form->delimiter + 4, boundary, length + 1);
	form->delimiter_bytes = 4 + length;
	return true;
}

/* --- Parts --- */

/* Numbers of parts are those that people count. */
static bool refuse(const struct form *form, const char *why, struct error *err) {
	return error_set(err, ERROR_INVALID_VALUE, "part %zu of the form %s", form->count + 1, why);
}

static const char *find_delimiter(const struct form *form) {
	return memmem(form->rest.at, (size_t)(form->rest.end - form->rest.at), form->delimiter,
		form->delimiter_bytes);
}

/* True when the rest starts with a text, which is then taken. */
static bool take(struct rest *rest, const char *text, size_t length) {
	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0) {
		return false;
	}
	rest->at += length;
	return true;
}

/* Goes behind the first boundary, before which there may be what nobody reads. */
static bool take_first_delimiter(struct form *form, struct error *err) {
	if (take(&form->rest, form->delimiter + 2, form->delimiter_bytes - 2)) {
		return true;
	}
	form->rest.at = find_delimiter(form);
	return (form->rest.at && take(&form->rest, form->delimiter, form->delimiter_bytes)) ||
		error_set(err, ERROR_INVALID_VALUE,
			"the form does not have the boundary that Content-Type names");
}

/* Behind a boundary: *last is set where no part follows. */
static bool take_delimiter_end(struct form *form, bool *last, struct error *err) {
	*last = take(&form->rest, "--", 2);
	if (*last) {
		return true;
	}
	skip_spaces(&form->rest);
	return take(&form->rest, "\r\n", 2) ||
		refuse(form, "begins on the line of its boundary", err);
}

/* Takes a header's line, without its break; NULL where there is none within the limit. */
static const char *take_line(struct form *form, const char *limit, size_t *length) {
	const char *start = form->rest.at;
	const char *end = memmem(start, (size_t)(limit - start), "\r\n", 2);
	if (end) {
		*length = (size_t)(end - start);
		form->rest.at = end + 2;
	}
	return end ? start : NULL;
}

/* The headers of a part. */
struct headers {
	const char *disposition; // Content-Disposition; NULL = not there
};

static bool note_header(struct form *form, const char *line, size_t length, struct headers *headers,
	struct error *err) {
	const char *colon = memchr(line, ':', length);
	if (!colon || is_one_of(*line, " \t") || memchr(line, '\0', length)) {
		return refuse(form, "has a header that is none", err);
	}
	struct rest rest = {colon + 1, line + length};
	skip_spaces(&rest);
	const char *name = arena_strndup(form->arena, line, (size_t)(colon - line));
	const char *value = arena_strndup(form->arena, rest.at, (size_t)(rest.end - rest.at));
	if (strcasecmp(name, "Content-Disposition") == 0) {
		if (headers->disposition) {
			return refuse(form, "has Content-Disposition twice", err);
		}
		headers->disposition = value;
	}
	if (strcasecmp(name, "Content-Type") == 0 && strncasecmp(value, "multipart/", 10) == 0) {
		return refuse(form, "is a form itself, must be a file", err);
	}
	const bool is_encoded = strcasecmp(name, "Content-Transfer-Encoding") == 0 &&
		strcasecmp(value, "binary") != 0 && strcasecmp(value, "8bit") != 0 &&
		strcasecmp(value, "7bit") != 0;
	return !is_encoded || refuse(form, "is encoded, must be the bytes of its file", err);
}

static bool read_headers(struct form *form, struct headers *headers, struct error *err) {
	const size_t left = (size_t)(form->rest.end - form->rest.at);
	const char *limit = form->rest.at + (left < HEADERS_MAX ? left : HEADERS_MAX);
	for (;;) {
		size_t length = 0;
		const char *line = take_line(form, limit, &length);
		if (!line) {
			return refuse(form,
				left < HEADERS_MAX ? "ends within its headers"
						   : "has more than 8 KiB of headers",
				err);
		}
		if (length == 0) {
			return true;
		}
		if (!note_header(form, line, length, headers, err)) {
			return false;
		}
	}
}

static bool has_control_characters(const char *text) {
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f) {
			return true;
		}
	}
	return false;
}

/* Puts quotation marks where browsers write %22, in place. */
static void undo_quotes(char *text) {
	char *to = text;
	for (const char *from = text; *from; from++) {
		const bool is_quote = strncmp(from, "%22", 3) == 0;
		*to++ = is_quote ? '"' : *from;
		from += is_quote ? 2 : 0;
	}
	*to = '\0';
}

/* The filename of a part, in the arena. */
static const char *read_path(struct form *form, const struct headers *headers, struct error *err) {
	const char *text = headers->disposition, *filename = NULL;
	if (!text || !media_is(text, "form-data")) {
		refuse(form, "has no Content-Disposition of \"form-data\"", err);
		return NULL;
	}
	const struct rest header = {text, text + strlen(text)};
	if (!find_parameter(header, "filename", form->arena, &filename)) {
		refuse(form, "has a Content-Disposition that cannot be read", err);
		return NULL;
	}
	if (!filename || !*filename) {
		refuse(form, "has no filename, must be a file", err);
		return NULL;
	}
	char *path = arena_strndup(form->arena, filename, strlen(filename));
	undo_quotes(path);
	if (!utf8_is_valid(path, strlen(path)) || has_control_characters(path)) {
		refuse(form, "has a filename that is not UTF-8, or has control characters", err);
		return NULL;
	}
	return path;
}

static struct form_file *add_file(struct form *form) {
	if (form->count == form->room) {
		const size_t room = form->room ? 2 * form->room : 16;
		struct form_file *files = arena_alloc(form->arena, room, sizeof *files);
		if (form->count > 0) {
			memcpy(files, form->files, form->count * sizeof *files);
		}
		form->files = files;
		form->room = room;
	}
	return &form->files[form->count++];
}

/* Takes a part with the boundary behind it. */
static bool take_part(struct form *form, struct error *err) {
	struct headers headers = {0};
	if (form->count == LIMIT_FORM_FILES) {
		return error_set(err, ERROR_TOO_LARGE,
			"the form has more than the %d files that it may", LIMIT_FORM_FILES);
	}
	const char *path =
		read_headers(form, &headers, err) ? read_path(form, &headers, err) : NULL;
	if (!path) {
		return false;
	}
	const char *end = find_delimiter(form);
	if (!end) {
		return refuse(form, "has no boundary behind it", err);
	}
	*add_file(form) = (struct form_file){path, form->rest.at, (size_t)(end - form->rest.at)};
	form->rest.at = end + form->delimiter_bytes;
	return true;
}

struct form_file *form_data_read(const char *content_type, const void *body, size_t size,
	struct arena *arena, size_t *count, struct error *err) {
	const char *bytes = size > 0 ? body : "";
	struct form form = {.arena = arena, .rest = {bytes, bytes + size}};
	bool last = false;
	if (!read_boundary(&form, content_type, err) || !take_first_delimiter(&form, err) ||
		!take_delimiter_end(&form, &last, err)) {
		return NULL;
	}
	while (!last) {
		if (!take_part(&form, err) || !take_delimiter_end(&form, &last, err)) {
			return NULL;
		}
	}
	if (form.count == 0) {
		error_set(err, ERROR_INVALID_VALUE,
			"the form has no part, must have one for each file");
		return NULL;
	}
	*count = form.count;
	return form.files;
}
