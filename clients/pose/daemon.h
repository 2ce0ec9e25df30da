/* Requests to the daemon that the command line names, with the token if there is one. */
#pragma once

#include "answer.h"
#include "http.h"
#include "options.h"

/* The daemon's address, as the command line or the environment says it. */
const char *daemon_address(const struct arguments *arguments);

/* http_send() with server and token filled in. */
int daemon_send(
	const struct arguments *arguments, struct http_request request, struct buffer *answer);

/* The same, and what comes is written as it comes: see answer_open(). The exit status. */
int daemon_fetch(
	const struct arguments *arguments, struct http_request request, enum answer_kind kind);

/* daemon_fetch() of a POST of a request in JSON to /v1/NAME. */
int daemon_post(const struct arguments *arguments, const char *name, const struct buffer *body,
	const char *accept, enum answer_kind kind);
