// The head of an HTTP/1 request, held to RFC 9112.
#include "http/request_head.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "limits.h"

/* Digits that surely fit into 64 bits. */
#define LENGTH_DIGITS_MAX 19

/* tchar of RFC 9110, 5.6.2: what names of methods and fields are made of. */
static bool is_token_byte(unsigned char c) {
	return isalnum(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(const char *text, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (!is_token_byte((unsigned char)text[i])) {
			return false;
		}
	}
	return length > 0;
}

static bool is_control(unsigned char c) {
	return c < ' ' || c == 0x7f;
}

static bool part_is(struct head_part part, const char *text) {
	return part.length == strlen(text) && strncasecmp(part.text, text, part.length) == 0;
}

bool request_field_check(const char *line, size_t length, size_t *name_bytes, struct error *err) {
	const char *colon = memchr(line, ':', length);
	const size_t name = colon ? (size_t)(colon - line) : 0;
	for (size_t i = 0; i < length; i++) {
		if (is_control((unsigned char)line[i]) && (line[i] != '\t' || i < name)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"a line of the header has the control character 0x%02x in it",
				(unsigned char)line[i]);
		}
	}
	if (line[0] == ' ' || line[0] == '\t') {
		return error_set(err, ERROR_INVALID_VALUE,
			"a line of the header begins with a blank; fields that go on in a second "
			"line are not taken");
	}
	if (!colon) {
		return error_set(err, ERROR_INVALID_VALUE,
			"a line of the header has no colon: \"%.*s\"",
			(int)(length < 40 ? length : 40), line);
	}
	*name_bytes = name;
	return is_token(line, name) ||
		error_set(err, ERROR_INVALID_VALUE,
			"the header has a field called \"%.*s\"; names have no blanks and no signs",
			(int)(name < 40 ? name : 40), line);
}

/* The fields of a head that frame its body. */
struct fields {
	unsigned count, hosts, lengths, codings;
	struct head_part host, length, coding; // the last of each
};

static bool is_blank(char c) {
	return c == ' ' || c == '\t';
}

/* The value of a field: [length] is its line's. */
static struct head_part value_of(const char *line, size_t length, size_t name_bytes) {
	struct head_part value = {line + name_bytes + 1, length - name_bytes - 1};
	while (value.length > 0 && is_blank(*value.text)) {
		value.text++;
		value.length--;
	}
	while (value.length > 0 && is_blank(value.text[value.length - 1])) {
		value.length--;
	}
	return value;
}

static void note_field(struct fields *fields, struct head_part name, struct head_part value) {
	if (part_is(name, "Host")) {
		fields->hosts++;
		fields->host = value;
	} else if (part_is(name, "Content-Length")) {
		fields->lengths++;
		fields->length = value;
	} else if (part_is(name, "Transfer-Encoding")) {
		fields->codings++;
		fields->coding = value;
	}
}

/* The length of the line that stands at the beginning, without its CRLF. */
static size_t line_length(const char *line, const char *end) {
	return (size_t)((const char *)memchr(line, '\n', (size_t)(end - line)) - line) - 1;
}

static bool read_fields(struct request_head *head, struct fields *fields, struct error *err) {
	const char *line = head->fields.text, *end = line + head->fields.length;
	while (line < end) {
		const size_t length = line_length(line, end);
		size_t name_bytes;
		if (!request_field_check(line, length, &name_bytes, err)) {
			return false;
		}
		if (++fields->count > LIMIT_HEADER_FIELDS) {
			return error_set(err, ERROR_HEADER_TOO_LARGE,
				"the header has more than the %d fields that it may have",
				LIMIT_HEADER_FIELDS);
		}
		const struct head_part name = {line, name_bytes};
		note_field(fields, name, value_of(line, length, name_bytes));
		head->plain &= !part_is(name, "Cookie") && !is_blank(line[length - 1]);
		line += length + 2;
	}
	return true;
}

/* True for a text that can be the authority of a URL, or Host: characters of RFC 3986 without user
 * information. */
static bool is_authority(struct head_part part) {
	for (size_t i = 0; i < part.length; i++) {
		const unsigned char c = (unsigned char)part.text[i];
		if (!isalnum(c) && (!c || !strchr("-._~%!$&'()*+,;=:[]", c))) {
			return false;
		}
	}
	return true;
}

static bool check_host(const struct fields *fields, bool needed, struct error *err) {
	if (fields->hosts > 1) {
		return error_set(
			err, ERROR_INVALID_VALUE, "the header has Host %u times", fields->hosts);
	}
	if (fields->hosts == 0) {
		return !needed ||
			error_set(err, ERROR_INVALID_VALUE,
				"the header has no Host, which HTTP/1.1 wants");
	}
	return is_authority(fields->host) ||
		error_set(err, ERROR_INVALID_VALUE,
			"Host is \"%.*s\", must be a name or an address, and may have a port",
			(int)(fields->host.length < 100 ? fields->host.length : 100),
			fields->host.text);
}

static bool read_length(struct head_part text, struct request_head *out, struct error *err) {
	size_t digits = 0;
	out->framing = FRAMING_LENGTH;
	out->length = 0;
	while (digits < text.length && isdigit((unsigned char)text.text[digits])) {
		digits++;
	}
	if (digits == 0 || digits < text.length) {
		return error_set(err, ERROR_INVALID_VALUE,
			"Content-Length is \"%.*s\", must be a whole number of bytes",
			(int)(text.length < 40 ? text.length : 40), text.text);
	}
	for (; text.length > 1 && *text.text == '0'; text.text++) {
		text.length--;
	}
	if (text.length > LENGTH_DIGITS_MAX) {
		return error_set(err, ERROR_TOO_LARGE,
			"Content-Length has %zu digits, more bytes than anything can have",
			text.length);
	}
	for (size_t i = 0; i < text.length; i++) {
		out->length = out->length * 10 + (uint64_t)(text.text[i] - '0');
	}
	return true;
}

static bool read_framing(
	const struct fields *fields, bool old, struct request_head *out, struct error *err) {
	if (fields->lengths > 1 || fields->codings > 1 || (fields->lengths && fields->codings)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"how long the body is stands in the header %u times, as Content-Length or "
			"Transfer-Encoding; it may once",
			fields->lengths + fields->codings);
	}
	if (fields->lengths) {
		return read_length(fields->length, out, err);
	}
	if (!fields->codings) {
		return true;
	}
	if (old || fields->coding.length == 0) {
		return error_set(err, ERROR_INVALID_VALUE,
			old ? "Transfer-Encoding stands in the header, which HTTP/1.0 does not have"
			    : "Transfer-Encoding is empty");
	}
	out->framing = FRAMING_CHUNKED;
	return part_is(fields->coding, "chunked") ||
		error_set(err, ERROR_NOT_IMPLEMENTED,
			"Transfer-Encoding is \"%.*s\"; only chunked is known here",
			(int)(fields->coding.length < 40 ? fields->coding.length : 40),
			fields->coding.text);
}

/* Splits a URL into path and query. */
static bool read_absolute(struct head_part url, struct request_head *out, struct error *err) {
	const size_t secure = url.length > 5 && (url.text[4] == 's' || url.text[4] == 'S');
	const size_t scheme = strlen("http://") + secure;
	if (url.length < scheme || strncasecmp(url.text, "http", 4) != 0 ||
		strncmp(url.text + 4 + secure, "://", 3) != 0) {
		return false;
	}
	size_t end = scheme;
	while (end < url.length && url.text[end] != '/' && url.text[end] != '?') {
		end++;
	}
	out->plain = false;
	out->authority = (struct head_part){url.text + scheme, end - scheme};
	out->path = (struct head_part){url.text + end, url.length - end};
	return (out->authority.length > 0 && is_authority(out->authority)) ||
		error_set(err, ERROR_INVALID_VALUE,
			"the target has no host of a kind that is known: \"%.*s\"",
			(int)(url.length < 100 ? url.length : 100), url.text);
}

static bool check_parameters(struct head_part target, struct error *err) {
	const char *query = memchr(target.text, '?', target.length);
	const char *end = target.text + target.length;
	size_t count = 1;
	for (const char *c = query; c && c < end; c++) {
		count += *c == '&';
	}
	return count <= LIMIT_QUERY_PARAMETERS ||
		error_set(err, ERROR_INVALID_VALUE,
			"the query has %zu parameters, may have %d; a request that says more goes "
			"by POST",
			count, LIMIT_QUERY_PARAMETERS);
}

static bool read_target(struct head_part target, struct request_head *out, struct error *err) {
	for (size_t i = 0; i < target.length; i++) {
		const unsigned char c = (unsigned char)target.text[i];
		if (c == ' ') {
			return error_set(err, ERROR_INVALID_VALUE,
				"the target has a space in it, which must be written as %%20");
		}
		if (is_control(c)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"the target has the control character 0x%02x in it", c);
		}
	}
	out->path = target;
	const bool path = target.length > 0 && target.text[0] == '/';
	const bool whole_server = part_is(target, "*") && part_is(out->method, "OPTIONS");
	// CONNECT names a host, and is refused like any other method that there is not.
	if (!path && !whole_server && !part_is(out->method, "CONNECT") &&
		!read_absolute(target, out, err)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the target is \"%.*s\", must be a path that begins with a slash, or a URL "
			"with http://",
			(int)(target.length < 100 ? target.length : 100), target.text);
	}
	return check_parameters(target, err);
}

static bool is_version(struct head_part part) {
	return part.length == 8 && memcmp(part.text, "HTTP/", 5) == 0 &&
		isdigit((unsigned char)part.text[5]) && part.text[6] == '.' &&
		isdigit((unsigned char)part.text[7]);
}

/* Splits the request line into method, target and version: [length] without its CRLF. */
static bool read_line(
	const char *line, size_t length, struct request_head *out, struct error *err) {
	const char *first = memchr(line, ' ', length), *last = memrchr(line, ' ', length);
	if (!first || last == first) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the request's line must have a method, a target and a version, with one "
			"space between them");
	}
	out->method = (struct head_part){line, (size_t)(first - line)};
	out->version = (struct head_part){last + 1, (size_t)(line + length - last - 1)};
	if (!is_token(line, out->method.length) || !is_version(out->version)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the request's line must begin with the name of a method and end with "
			"HTTP/1.1");
	}
	if (out->version.text[5] != '1') {
		return error_set(err, ERROR_UNSUPPORTED_VERSION,
			"the request is one of %.8s; only HTTP/1.1 and HTTP/1.0 are spoken here",
			out->version.text);
	}
	return read_target((struct head_part){first + 1, (size_t)(last - first - 1)}, out, err);
}

bool request_head_read(
	const char *bytes, size_t size, struct request_head *out, struct error *err) {
	*out = (struct request_head){.plain = true};
	const char *end = memchr(bytes, '\n', size);
	struct fields fields = {0};
	if (!read_line(bytes, (size_t)(end - bytes) - 1, out, err)) {
		return false;
	}
	out->fields = (struct head_part){end + 1, size - (size_t)(end + 1 - bytes) - 2};
	const bool old = out->version.text[7] == '0';
	return read_fields(out, &fields, err) && check_host(&fields, !old, err) &&
		read_framing(&fields, old, out, err);
}

static void append(struct buffer *out, struct head_part part) {
	buffer_append(out, part.text, part.length);
}

static void append_text(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

static void append_field(struct buffer *out, struct head_part name, struct head_part value) {
	append(out, name);
	append_text(out, ": ");
	append(out, value);
	append_text(out, "\r\n");
}

void request_head_rewrite(const struct request_head *head, struct buffer *out) {
	const bool url = head->authority.length > 0;
	append(out, head->method);
	append_text(out, " ");
	if (url && (head->path.length == 0 || head->path.text[0] != '/')) {
		const bool whole_server =
			head->path.length == 0 && part_is(head->method, "OPTIONS");
		append_text(out, whole_server ? "*" : "/");
	}
	append(out, head->path);
	append_text(out, " ");
	append(out, head->version);
	append_text(out, "\r\n");
	if (url) {
		append_field(out, (struct head_part){"Host", 4}, head->authority);
	}
	const char *line = head->fields.text, *end = line + head->fields.length;
	while (line < end) {
		const size_t length = line_length(line, end);
		const struct head_part name = {
			line, (size_t)((const char *)memchr(line, ':', length) - line)};
		if (!part_is(name, "Cookie") && !(url && part_is(name, "Host"))) {
			append_field(out, name, value_of(line, length, name.length));
		}
		line += length + 2;
	}
	append_text(out, "\r\n");
}
