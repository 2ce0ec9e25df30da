/* Requests to the daemon that the command line names, with the token if there is one. */
#pragma once

#include "http.h"
#include "options.h"

/* http_send() with server and token filled in. */
bool daemon_send(
	const struct arguments *arguments, struct http_request request, struct buffer *answer);
