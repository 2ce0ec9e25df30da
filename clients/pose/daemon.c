// Requests to the daemon that the command line names.
#include "daemon.h"

#include <stdlib.h>

#include "token.h"

static const char *server_of(const struct arguments *arguments) {
	const char *given = arguments_value(arguments, "--server");
	const char *environment = getenv("POSED_SERVER");
	return given ? given : environment ? environment : "http://127.0.0.1:8600";
}

bool daemon_send(
	const struct arguments *arguments, struct http_request request, struct buffer *answer) {
	char token[TOKEN_BYTES];
	request.server = server_of(arguments);
	if (!token_find(arguments_value(arguments, "--token-file"), token)) {
		return false;
	}
	request.token = *token ? token : NULL;
	return http_send(&request, answer);
}
