// Requests to the daemon that the command line names.
#include "daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "problem_print.h"
#include "status.h"

/* Room for a token with its NUL. */
#define TOKEN_BYTES 1024

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies what is between the spaces; anything but visible ASCII would make another header of it. */
static bool take(const struct arguments *arguments, const char *text, size_t length,
	const char *origin, char token[static TOKEN_BYTES]) {
	while (length > 0 && is_space(text[length - 1])) {
		length--;
	}
	while (length > 0 && is_space(*text)) {
		text++;
		length--;
	}
	bool ok = length > 0 && length < TOKEN_BYTES;
	for (size_t i = 0; ok && i < length; i++) {
		ok = text[i] > ' ' && text[i] < 0x7f;
		token[i] = text[i];
	}
	token[ok ? length : 0] = '\0';
	if (!ok) {
		problem_print_words(
			arguments, PROBLEM_TOKEN, origin, "what is in it is no token", 0);
	}
	return ok;
}

/* Finds the token: in the file of --token-file, the spaces and line ends around it aside; without
 * one in POSED_TOKEN; else it is "". False, with the reason on standard error, when what is there
 * is no token. It is never taken from the command line, which everyone on the machine can read. */
static bool find_token(const struct arguments *arguments, char token[static TOKEN_BYTES]) {
	const char *path = arguments_value(arguments, "--token-file");
	const char *environment = getenv("POSED_TOKEN");
	*token = '\0';
	if (!path) {
		return !environment ||
			take(arguments, environment, strlen(environment), "POSED_TOKEN", token);
	}
	struct buffer text = {0};
	const bool found = file_take(arguments, path, &text) &&
		take(arguments, (const char *)text.data, text.size, path, token);
	buffer_finish(&text);
	return found;
}

const char *daemon_address(const struct arguments *arguments) {
	const char *given = arguments_value(arguments, "--server");
	const char *environment = getenv("POSED_SERVER");
	return given ? given : environment ? environment : "http://127.0.0.1:8600";
}

int daemon_send(
	const struct arguments *arguments, struct http_request request, struct buffer *answer) {
	char token[TOKEN_BYTES];
	request.server = daemon_address(arguments);
	if (!find_token(arguments, token)) {
		return STATUS_FAILED;
	}
	request.token = *token ? token : NULL;
	return http_send(arguments, &request, answer);
}

static int fetch_and_show(
	const struct arguments *arguments, struct http_request request, enum answer_kind kind) {
	struct buffer answer = {0};
	int status = daemon_send(arguments, request, &answer);
	if (status == STATUS_OK) {
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
