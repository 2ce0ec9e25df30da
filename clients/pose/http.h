/* Requests to the daemon through the client in C. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

struct http_request {
	const char *server; // "http://127.0.0.1:8600"
	const char *method; // "GET", "PUT", "POST", "DELETE"
	const char *path;   // "/v1/rigs", already percent-encoded
	const char *token;  // for Authorization; NULL = none
	const void *body;   // NULL = none
	size_t body_bytes;
	const char *content_type, *accept; // NULL = none, anything
};

/* Sends a request and appends the answer's body to out. True if the daemon said 2xx; else false
 * with the reason on standard error: the problem document's detail, or why there was no answer. */
bool http_send(const struct http_request *request, struct buffer *out);
