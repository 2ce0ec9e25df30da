// The boundaries of requests on a connection.
#include "http/framing.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "http/request_head.h"
#include "limits.h"

/* Bytes of a line with the size of a chunk and its extensions, which are ignored. */
#define CHUNK_LINE_BYTES 1024

/* Digits of a chunk's size that surely fit into 64 bits. */
#define CHUNK_DIGITS_MAX 15

/* Bytes behind a request that is refused that are read, so that closing the connection does not
 * take the response away from the client. */
#define DRAIN_BYTES 262144

enum stream_part {
	IN_HEAD,
	IN_BODY,       // of a known length
	IN_CHUNK_SIZE, // in the line before a chunk
	IN_CHUNK,
	IN_CHUNK_END, // in the CRLF behind one
	IN_TRAILER,
	IN_NOTHING, // no more is read
};

struct framing {
	enum stream_part part;
	uint64_t left;     // bytes, of IN_BODY and IN_CHUNK
	size_t line_at;    // of IN_HEAD: where the line begins up to which the head is there
	size_t trailers;   // bytes of the trailer so far
	uint64_t requests; // heads that came out
	struct error err;  // why no more is read; of the last of the requests

	struct request_head rewrite; // a head to be rewritten, at the beginning of what is held
	size_t rewrite_bytes;        // of it; 0 = none
	struct buffer held;          // read, and not yet whole
	struct buffer ready;         // to come out next
};

struct framing *framing_create(void) {
	return xcalloc(1, sizeof(struct framing));
}

void framing_destroy(struct framing *framing) {
	if (framing) {
		buffer_finish(&framing->held);
		buffer_finish(&framing->ready);
		free(framing);
	}
}

/* Texts of errors are UTF-8, and what they quote comes from anyone. */
static void make_ascii(char *text) {
	for (; *text; text++) {
		if ((unsigned char)*text >= 0x7f || (unsigned char)*text < ' ') {
			*text = '?';
		}
	}
}

/* Puts in the place of what is refused what ends the request for the library. */
static void refuse(struct framing *framing) {
	static const char empty[] = "GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n";
	static const char *const ends[] = {
		[IN_HEAD] = empty,
		[IN_CHUNK_SIZE] = "0\r\n\r\n",
		[IN_CHUNK_END] = "\r\n0\r\n\r\n",
		[IN_TRAILER] = "\r\n",
	};
	const char *end = ends[framing->part];
	make_ascii(framing->err.text);
	buffer_append(&framing->ready, end, strlen(end));
	framing->requests += framing->part == IN_HEAD;
	framing->part = IN_NOTHING;
}

static bool is_refused(const struct framing *framing) {
	return framing->err.code != ERROR_NONE;
}

/* The length of a line with its CRLF; 0 when it is not whole, or has an end that is none. */
static size_t find_line(struct framing *framing, const char *data, size_t size, size_t most) {
	const char *end = memchr(data, '\n', size);
	if (end && (end == data || end[-1] != '\r')) {
		error_set(&framing->err, ERROR_INVALID_VALUE,
			"a line of the request ends with LF alone, must end with CR and LF");
		return 0;
	}
	const size_t length = end ? (size_t)(end + 1 - data) : 0;
	if ((end ? length : size) > most) {
		error_set(&framing->err, ERROR_HEADER_TOO_LARGE,
			"the request's line and header, or a line within its body, have more than "
			"the %zu bytes that they may have",
			most);
		return 0;
	}
	return length;
}

/* Goes on behind a head. */
static void enter_body(struct framing *framing, const struct request_head *head) {
	static const enum stream_part parts[] = {
		[FRAMING_NONE] = IN_HEAD,
		[FRAMING_LENGTH] = IN_BODY,
		[FRAMING_CHUNKED] = IN_CHUNK_SIZE,
	};
	framing->requests++;
	framing->left = head->length;
	framing->trailers = 0;
	framing->part = parts[head->framing];
	if (framing->part == IN_BODY && framing->left == 0) {
		framing->part = IN_HEAD;
	}
}

/* Each of the next takes what it can of the bytes, and returns how many may come out as they are:
 * 0 when there is too little, or when framing->err or rewrite_bytes say that they may not. */

static size_t take_head(struct framing *framing, const char *data, size_t size) {
	if (framing->line_at == 0 && size >= 2 && memcmp(data, "\r\n", 2) == 0) {
		return 2; // RFC 9112, 2.2: some clients send it behind a body
	}
	size_t length;
	do {
		const size_t at = framing->line_at;
		length = find_line(framing, data + at, size - at, LIMIT_HEAD_BYTES - at);
		framing->line_at += length;
	} while (length > 2);
	if (length == 0) {
		return 0;
	}
	struct request_head head;
	const size_t bytes = framing->line_at;
	framing->line_at = 0;
	if (!request_head_read(data, bytes, &head, &framing->err)) {
		return 0;
	}
	if (!head.plain) {
		framing->rewrite = head;
		framing->rewrite_bytes = bytes;
		return 0;
	}
	enter_body(framing, &head);
	return bytes;
}

static size_t take_left(struct framing *framing, size_t size, enum stream_part next) {
	const size_t count = framing->left < size ? (size_t)framing->left : size;
	framing->left -= count;
	if (framing->left == 0) {
		framing->part = next;
	}
	return count;
}

/* The size of a chunk: hexadecimal digits, and whatever stands behind a semicolon. */
static bool read_chunk_size(const char *line, size_t length, uint64_t *out, struct error *err) {
	size_t digits = 0;
	*out = 0;
	for (; digits < length && isxdigit((unsigned char)line[digits]); digits++) {
		const char digit = (char)tolower((unsigned char)line[digits]);
		*out = *out * 16 + (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
		if (digits == CHUNK_DIGITS_MAX) {
			return error_set(err, ERROR_INVALID_VALUE,
				"the size of a chunk has more than %d digits", CHUNK_DIGITS_MAX);
		}
	}
	bool ok = digits > 0 && (digits == length || line[digits] == ';');
	for (size_t i = digits; i < length; i++) {
		ok &= (unsigned char)line[i] >= ' ' || line[i] == '\t';
	}
	return ok ||
		error_set(err, ERROR_INVALID_VALUE,
			"the size of a chunk is \"%.*s\", must be hexadecimal digits alone",
			(int)(length < 20 ? length : 20), line);
}

static size_t take_chunk_size(struct framing *framing, const char *data, size_t size) {
	const size_t length = find_line(framing, data, size, CHUNK_LINE_BYTES);
	if (length == 0 || !read_chunk_size(data, length - 2, &framing->left, &framing->err)) {
		return 0;
	}
	framing->part = framing->left > 0 ? IN_CHUNK : IN_TRAILER;
	return length;
}

static size_t take_chunk_end(struct framing *framing, const char *data, size_t size) {
	if (data[0] != '\r' || (size > 1 && data[1] != '\n')) {
		error_set(&framing->err, ERROR_INVALID_VALUE,
			"a chunk is longer than its size says: no CR and LF stand behind it");
		return 0;
	}
	if (size < 2) {
		return 0;
	}
	framing->part = IN_CHUNK_SIZE;
	return 2;
}

static size_t take_trailer(struct framing *framing, const char *data, size_t size) {
	size_t name_bytes;
	const size_t length = find_line(framing, data, size, LIMIT_HEAD_BYTES - framing->trailers);
	if (length == 2) {
		framing->part = IN_HEAD;
	} else if (length == 0 ||
		!request_field_check(data, length - 2, &name_bytes, &framing->err)) {
		return 0;
	}
	framing->trailers += length;
	return length;
}

static size_t take(struct framing *framing, const char *data, size_t size) {
	switch (framing->part) {
	case IN_HEAD:
		return take_head(framing, data, size);
	case IN_BODY:
		return take_left(framing, size, IN_HEAD);
	case IN_CHUNK_SIZE:
		return take_chunk_size(framing, data, size);
	case IN_CHUNK:
		return take_left(framing, size, IN_CHUNK_END);
	case IN_CHUNK_END:
		return take_chunk_end(framing, data, size);
	case IN_TRAILER:
		return take_trailer(framing, data, size);
	case IN_NOTHING:
		return 0;
	}
	return 0;
}

/* The number of bytes that may come out as they are. */
static size_t pass(struct framing *framing, const char *data, size_t size) {
	size_t passed = 0, count;
	do {
		const bool more = passed < size && !is_refused(framing);
		count = more ? take(framing, data + passed, size - passed) : 0;
		passed += count;
	} while (count > 0);
	return passed;
}

static void drop_front(struct buffer *buffer, size_t count) {
	buffer->size -= count;
	memmove(buffer->data, buffer->data + count, buffer->size);
	if (buffer->size == 0) {
		buffer_finish(buffer);
	}
}

/* Readies what is whole of the bytes that are held. */
static void pass_held(struct framing *framing) {
	struct buffer *held = &framing->held;
	size_t passed = 0, count;
	do {
		count = pass(framing, (const char *)held->data + passed, held->size - passed);
		buffer_append(&framing->ready, held->data + passed, count);
		if (framing->rewrite_bytes > 0) {
			request_head_rewrite(&framing->rewrite, &framing->ready);
			enter_body(framing, &framing->rewrite);
			count += framing->rewrite_bytes;
			framing->rewrite_bytes = 0;
		}
		passed += count;
	} while (count > 0);
	if (is_refused(framing) && framing->part != IN_NOTHING) {
		refuse(framing);
	}
	drop_front(held, framing->part == IN_NOTHING ? held->size : passed);
}

static size_t give_ready(struct framing *framing, char *out, size_t room) {
	const size_t count = framing->ready.size < room ? framing->ready.size : room;
	if (count > 0) {
		memcpy(out, framing->ready.data, count);
		drop_front(&framing->ready, count);
	}
	return count;
}

/* The call of the kernel, which no other function stands before. */
static ssize_t receive(int socket, void *out, size_t room) {
	return recvfrom(socket, out, room, 0, NULL, NULL);
}

static void drain(int socket) {
	char dropped[4096];
	size_t count = 0;
	ssize_t got;
	do {
		got = receive(socket, dropped, sizeof dropped);
		count += got > 0 ? (size_t)got : 0;
	} while (got > 0 && count < DRAIN_BYTES);
}

ssize_t framing_receive(struct framing *framing, int socket, void *out, size_t room) {
	size_t given = give_ready(framing, out, room);
	while (given < room && framing->part != IN_NOTHING) {
		char *data = (char *)out + given;
		const ssize_t got = receive(socket, data, room - given);
		if (got <= 0) {
			return given > 0 ? (ssize_t)given : got;
		}
		const bool drained = (size_t)got < room - given;
		const bool plain = framing->held.size == 0;
		const size_t passed = plain ? pass(framing, data, (size_t)got) : 0;
		given += passed;
		if (passed == (size_t)got) {
			if (drained) {
				break;
			}
			continue;
		}
		buffer_append(&framing->held, data + passed, (size_t)got - passed);
		framing->rewrite_bytes = 0; // is read again, so that its parts are of what is held
		pass_held(framing);
		given += give_ready(framing, (char *)out + given, room - given);
	}
	if (framing->part == IN_NOTHING) {
		drain(socket);
		if (given == 0) {
			errno = EAGAIN;
			return -1;
		}
	}
	return (ssize_t)given;
}

bool framing_check(const struct framing *framing, uint64_t request, struct error *err) {
	if (request > framing->requests) {
		return error_set(err, ERROR_INTERNAL,
			"a request came past the check of its framing: the HTTP library does not "
			"call this program's recv()");
	}
	if (is_refused(framing) && request == framing->requests) {
		*err = framing->err;
		return false;
	}
	return true;
}
