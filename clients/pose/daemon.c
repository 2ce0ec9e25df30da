// Requests to the daemon that the command line names.
#include "daemon.h"

#include <stdio.h>
#include <stdlib.h>

#include "status.h"
#include "token.h"

static const char *server_of(const struct arguments *arguments) {
	const char *given = arguments_value(arguments, "--server");
	const char *environment = getenv("POSED_SERVER");
	return given ? given : environment ? environment : "http://127.0.0.1:8600";
}

int daemon_send(
	const struct arguments *arguments, struct http_request request, struct buffer *answer) {
	char token[TOKEN_BYTES];
	request.server = server_of(arguments);
	if (!token_find(arguments, token)) {
		return STATUS_FAILED;
	}
	request.token = *token ? token : NULL;
	return http_send(arguments, &request, answer);
}

static int fetch_and_show(
	const struct arguments *arguments, struct http_request request, enum answer_kind kind) {
	struct buffer answer = {0};
	int status = daemon_send(arguments, request, &answer);
	if (status == STATUS_FINE) {
		status = answer_write(arguments, &answer, kind);
	}
	buffer_finish(&answer);
	return status;
}

int daemon_fetch(
	const struct arguments *arguments, struct http_request request, enum answer_kind kind) {
	if (answer_is_shown(arguments, kind)) {
		return fetch_and_show(arguments, request, kind);
	}
	request.output = answer_open(arguments, kind);
	const int status = request.output ? daemon_send(arguments, request, NULL) : STATUS_FAILED;
	return answer_close(arguments, request.output, status);
}

int daemon_post(const struct arguments *arguments, const char *name, const struct buffer *body,
	const char *accept, enum answer_kind kind) {
	char path[64];
	snprintf(path, sizeof path, "/v1/%s", name);
	const struct http_request request = {
		.method = "POST",
		.path = path,
		.body = body->data,
		.body_bytes = body->size,
		.content_type = "application/json",
		.accept = accept,
		.shows_progress = kind == ANSWER_PICTURE,
	};
	return daemon_fetch(arguments, request, kind);
}
