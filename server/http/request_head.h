/* The head of an HTTP/1 request as it comes off the wire, held to RFC 9112 before the HTTP library
 * reads it: the library takes heads that a proxy before it may understand differently, and then
 * sees a request where the proxy saw a body. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* The framing of the body behind a head. */
enum body_framing {
	FRAMING_NONE,    // there is none
	FRAMING_LENGTH,  // Content-Length says how many bytes it has
	FRAMING_CHUNKED, // Transfer-Encoding: chunked
};

/* Some bytes of a head. */
struct head_part {
	const char *text; // [length], borrowed from the head, not ended by NUL
	size_t length;
};

struct request_head {
	enum body_framing framing;
	uint64_t length;            // of FRAMING_LENGTH
	bool plain;                 // the HTTP library gets it as it is
	struct head_part method;    // "GET"
	struct head_part authority; // "posed:8600", of a target that is a whole URL; else empty
	struct head_part path;      // "/v1?a=b"; of a URL what follows its authority
	struct head_part version;   // "HTTP/1.1"
	struct head_part fields;    // the lines of the header, each with its CRLF
};

/* Checks a head: [size] bytes up to and with its empty line. False with ERROR_INVALID_VALUE for
 * what can be understood in two ways or is no HTTP, with ERROR_NOT_IMPLEMENTED for a
 * Transfer-Encoding other than chunked, ERROR_UNSUPPORTED_VERSION, ERROR_TOO_LARGE for a
 * Content-Length beyond 64 bits and ERROR_HEADER_TOO_LARGE for too many fields. */
bool request_head_read(const char *bytes, size_t size, struct request_head *out, struct error *err);

/* Appends a head in the form that the HTTP library understands: without blanks behind values,
 * without cookies, of which there is no use and for which the library wants memory, and
 * with a path for its target, for which RFC 9112, 3.2.2 has a URL's authority as the Host, whatever
 * Host there is. */
void request_head_rewrite(const struct request_head *head, struct buffer *out);

/* Checks a line of a header or trailer without its CRLF; *name_bytes is the length of its name,
 * which a colon follows. False with ERROR_INVALID_VALUE. */
bool request_field_check(const char *line, size_t length, size_t *name_bytes, struct error *err);
