// Requests to the daemon through the client in C.
#include "http.h"

#include <stdio.h>

#include "base/delayed.h"
#include "posed.h"
#include "problem_print.h"
#include "progress.h"
#include "status.h"
#include "warnings.h"

/* Work may take long, and a daemon that is busy for a moment should not fail a pipeline. */
#define SILENCE_S 3600
#define PATIENCE_S 30

/* The destination of a response while it comes. */
struct incoming {
	const struct http_request *request;
	struct buffer *out;
	struct posed_answer answer;
	struct arrival arrival;
};

static bool take(void *context, const void *bytes, size_t size) {
	struct incoming *incoming = context;
	struct output *output = incoming->request->output;
	if (incoming->request->shows_progress) {
		arrival_show(&incoming->arrival, &incoming->answer, bytes, size);
	}
	if (output) {
		return output_add(output, bytes, size);
	}
	buffer_append(incoming->out, bytes, size);
	return true;
}

static int explain(const struct arguments *arguments, const struct http_request *request,
	const struct posed_answer *answer, const struct posed_error *error) {
	if (error->status == 0) {
		problem_print_words(arguments, PROBLEM_NO_DAEMON, request->server, error->text, 0);
	} else if (!problem_print_answer(arguments, answer->body, answer->size)) {
		problem_print_words(
			arguments, PROBLEM_NO_REASON, request->path, error->text, error->status);
	}
	return status_of_http(error->status);
}

static int send(const struct arguments *arguments, struct posed_client *client,
	const struct http_request *request, struct buffer *out) {
	struct incoming incoming = {.request = request, .out = out};
	const struct posed_request call = {
		.method = request->method,
		.path = request->path,
		.body = request->body,
		.body_bytes = request->body_bytes,
		.content_type = request->content_type,
		.accept = request->accept,
		.on_data = take,
		.context = &incoming,
	};
	struct posed_error error;
	const bool ok = posed_call(client, &call, &incoming.answer, &error);
	if (request->shows_progress) {
		progress_end();
	}
	const char *warning = posed_answer_header(&incoming.answer, "Posed-Warning");
	if (warning) {
		warning_print(arguments, NULL, warning);
	}
	// The output has reported its error already.
	const int status = ok ? STATUS_OK
		: request->output && output_has_failed(request->output)
		? STATUS_FAILED
		: explain(arguments, request, &incoming.answer, &error);
	posed_answer_free(&incoming.answer);
	return status;
}

int http_send(
	const struct arguments *arguments, const struct http_request *request, struct buffer *out) {
	const struct posed_options with = {
		.address = request->server,
		.token = request->token,
		.silence_s = SILENCE_S,
		.patience_s = PATIENCE_S,
	};
	struct error err = {0};
	struct posed_client *client = delayed_load(&delayed_curl, &err) ? posed_open(&with) : NULL;
	if (!client) {
		fprintf(stderr, "pose: %s\n", err.code ? err.text : "libcurl cannot start");
		return STATUS_FAILED;
	}
	const int status = send(arguments, client, request, out);
	posed_close(client);
	return status;
}
