// `pose fit RIG [METHOD]`.
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "daemon.h"
#include "json_text.h"
#include "progress.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

/* Milliseconds between two looks at a fit: few at first, since most take a moment. */
#define FIRST_WAIT_MS 20
#define LONGEST_WAIT_MS 1000

static void wait_ms(long ms) {
	const struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&wait, NULL);
}

/* A method's id, or an object in JSON, as it is sent. */
static bool write_skinning(const char *method, struct buffer *out) {
	struct json_writer json = {.out = out};
	if (method[0] == '{') {
		return json_argument_write(&json, "METHOD", method);
	}
	json_write_string(&json, method);
	return true;
}

static const char *text_member(const struct value *object, const char *name) {
	const struct value *member = object ? value_member(object, name) : NULL;
	return member && member->kind == VALUE_STRING ? member->string : "";
}

/* Whoever looks at a terminal sees how far it is. */
static void show_progress(const struct value *fit) {
	const struct value *progress = value_member(fit, "progress");
	if (progress) {
		progress_show("%s %3.0f %%", text_member(fit, "state"), progress->number * 100);
	}
}

static bool has_ended(const char *state) {
	return strcmp(state, "waiting") != 0 && strcmp(state, "running") != 0;
}

static const struct value *read_fit(struct arena *arena, const struct buffer *answer) {
	return json_read(arena, answer->data, answer->size, NULL);
}

/* Looks at the fit in *answer until it has ended. The exit status of looking. */
static int await(struct arena *arena, const struct arguments *arguments, struct buffer *answer,
	const struct value **fit) {
	const char *rig = url_encode(arena, arguments->plain[1]);
	long ms = FIRST_WAIT_MS;
	int status = STATUS_OK;
	while ((*fit = read_fit(arena, answer)) && !has_ended(text_member(*fit, "state"))) {
		show_progress(*fit);
		wait_ms(ms);
		ms = ms * 2 < LONGEST_WAIT_MS ? ms * 2 : LONGEST_WAIT_MS;
		const struct http_request request = {
			.method = "GET",
			.path = arena_printf(
				arena, "/v1/rigs/%s/fits/%s", rig, text_member(*fit, "id")),
		};
		buffer_finish(answer);
		status = daemon_send(arguments, request, answer);
		if (status != STATUS_OK) {
			break;
		}
	}
	progress_end();
	return status == STATUS_OK && !*fit ? STATUS_FAILED : status;
}

static int begin(struct arena *arena, const struct arguments *arguments, const char *path) {
	struct buffer body = {0}, answer = {0};
	if (!write_skinning(arguments->plain[2], &body)) {
		buffer_finish(&body);
		return STATUS_USAGE;
	}
	const struct http_request request = {
		.method = "POST",
		.path = path,
		.body = body.data,
		.body_bytes = body.size,
		.content_type = "application/json",
	};
	const struct value *fit = NULL;
	int status = daemon_send(arguments, request, &answer);
	if (status == STATUS_OK) {
		status = await(arena, arguments, &answer, &fit);
	}
	if (status == STATUS_OK) {
		status = answer_write(arguments, &answer, ANSWER_TEXT);
	}
	buffer_finish(&answer);
	buffer_finish(&body);
	const bool failed = status == STATUS_OK && strcmp(text_member(fit, "state"), "done") != 0;
	return failed ? STATUS_FAILED : status;
}

static int call(const struct arguments *arguments, const char *method, const char *path) {
	const struct http_request request = {.method = method, .path = path};
	return daemon_fetch(arguments, request, ANSWER_TEXT);
}

int run_fit(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const char *cancelled = arguments_value(arguments, "--cancel");
	const char *path =
		arena_printf(arena, "/v1/rigs/%s/fits", url_encode(arena, arguments->plain[1]));
	int status;
	if (cancelled && arguments->plain_count > 2) {
		fprintf(stderr, "pose: --cancel names a fit; leave out the method\n");
		status = STATUS_USAGE;
	} else if (cancelled) {
		status = call(arguments, "DELETE",
			arena_printf(arena, "%s/%s", path, url_encode(arena, cancelled)));
	} else if (arguments->plain_count > 2) {
		status = begin(arena, arguments, path);
	} else {
		status = call(arguments, "GET", path);
	}
	arena_destroy(arena);
	return status;
}
