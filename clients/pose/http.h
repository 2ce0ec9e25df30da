/* Requests to the daemon through the client in C. */
#pragma once

#include "base/buffer.h"
#include "files.h"
#include "options.h"

struct http_request {
	const char *server; // "http://127.0.0.1:8600"
	const char *method; // "GET", "PUT", "POST", "DELETE"
	const char *path;   // "/v1/rigs", already percent-encoded
	const char *token;  // for Authorization; NULL = none
	const void *body;   // NULL = none
	size_t body_bytes;
	const char *content_type, *accept; // NULL = none, anything
	struct output *output; // receives the response's body as it comes; NULL = appended to out
	bool shows_progress;   // of an answer that comes while it is made
};

/* Sends a request and appends the answer's body to out, which may be NULL where there is an output.
 * STATUS_OK if the daemon said 2xx; else the exit status, with the reason on standard error: the
 * problem document, or why there was no answer. */
int http_send(
	const struct arguments *arguments, const struct http_request *request, struct buffer *out);
