// Requests to the daemon through the client in C.
#include "http.h"

#include <stdio.h>

#include "base/arena.h"
#include "json_read.h"
#include "posed.h"

/* Work may take long, and a daemon that is busy for a moment should not fail a pipeline. */
#define SILENCE_S 3600
#define PATIENCE_S 30

static const char *text_member(const struct value *object, const char *name) {
	const struct value *member = object ? value_member(object, name) : NULL;
	return member && member->kind == VALUE_STRING ? member->string : NULL;
}

/* Says what a problem document says, or else the status. */
static void print_problem(const struct http_request *request, const struct posed_answer *answer) {
	struct arena *arena = arena_create();
	const struct value *problem = json_read(arena, answer->body, answer->size, NULL);
	const char *detail = text_member(problem, "detail");
	const char *pointer = text_member(problem, "pointer");
	if (detail && pointer && *pointer) {
		fprintf(stderr, "pose: %s (at %s)\n", detail, pointer);
	} else if (detail) {
		fprintf(stderr, "pose: %s\n", detail);
	} else {
		fprintf(stderr, "pose: %s %s: status %d\n", request->method, request->path,
			answer->status);
	}
	arena_destroy(arena);
}

static bool send(
	struct posed_client *client, const struct http_request *request, struct buffer *out) {
	const struct posed_request call = {
		.method = request->method,
		.path = request->path,
		.body = request->body,
		.body_bytes = request->body_bytes,
		.content_type = request->content_type,
		.accept = request->accept,
	};
	struct posed_answer answer;
	struct posed_error error;
	const bool fine = posed_call(client, &call, &answer, &error);
	if (fine) {
		buffer_append(out, answer.body, answer.size);
	} else if (error.status > 0) {
		print_problem(request, &answer);
	} else {
		fprintf(stderr, "pose: %s: %s\n", request->server, error.text);
	}
	posed_answer_free(&answer);
	return fine;
}

bool http_send(const struct http_request *request, struct buffer *out) {
	const struct posed_options options = {
		.address = request->server,
		.token = request->token,
		.silence_s = SILENCE_S,
		.patience_s = PATIENCE_S,
	};
	struct posed_client *client = posed_open(&options);
	if (!client) {
		fprintf(stderr, "pose: libcurl cannot start\n");
		return false;
	}
	const bool fine = send(client, request, out);
	posed_close(client);
	return fine;
}
