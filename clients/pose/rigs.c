// Commands about rigs.
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "asset.h"
#include "base/arena.h"
#include "daemon.h"
#include "files.h"
#include "offline.h"
#include "status.h"
#include "table.h"
#include "url_text.h"

/* /v1/rigs/NAME, or /v1/rigs for NULL. */
static struct http_request about(struct arena *arena, const char *method, const char *name) {
	return (struct http_request){
		.method = method,
		.path = name ? arena_printf(arena, "/v1/rigs/%s", url_encode(arena, name))
			     : "/v1/rigs",
	};
}

/* Prints a document: people at a terminal get tables, everyone else JSON. */
static int print(const struct arguments *arguments, const struct buffer *document,
	void (*table)(const struct value *document)) {
	const bool for_people = isatty(STDOUT_FILENO) && !arguments_want_json(arguments);
	return for_people && table_print(document, table)
		? STATUS_OK
		: answer_write(arguments, document, ANSWER_TEXT);
}

static int fetch_and_print(const struct arguments *arguments, const char *name,
	void (*table)(const struct value *document)) {
	struct arena *arena = arena_create();
	struct buffer answer = {0};
	int status = daemon_send(arguments, about(arena, "GET", name), &answer);
	if (status == STATUS_OK) {
		status = print(arguments, &answer, table);
	}
	buffer_finish(&answer);
	arena_destroy(arena);
	return status;
}

int run_list(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return fetch_and_print(arguments, NULL, table_of_rigs);
}

int run_show(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const char *subject = arguments->plain[1];
	if (!offline_is_file(subject)) {
		return asset_is_no_file(arguments)
			? offline_end_rig(arguments, subject,
				  fetch_and_print(arguments, subject, table_of_rig))
			: STATUS_USAGE;
	}
	struct offline_job job = {.arguments = arguments, .path = subject};
	struct buffer answer = {0};
	int status = offline_make(&job, offline_describe, &answer);
	if (status == STATUS_OK) {
		status = print(arguments, &answer, table_of_rig);
	}
	buffer_finish(&answer);
	return status;
}

int run_compatibility(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(arena, "/v1/rigs/%s/compatibility?with=%s",
			url_encode(arena, arguments->plain[1]),
			url_encode(arena, arguments->plain[2])),
	};
	const int status = daemon_fetch(arguments, request, ANSWER_TEXT);
	arena_destroy(arena);
	return status;
}

int run_delete(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const int status =
		daemon_fetch(arguments, about(arena, "DELETE", arguments->plain[1]), ANSWER_TEXT);
	arena_destroy(arena);
	return status;
}

int rigs_put(const struct arguments *arguments, const char *name, const struct buffer *asset) {
	struct arena *arena = arena_create();
	struct http_request request = about(arena, "PUT", name);
	request.body = asset->data;
	request.body_bytes = asset->size;
	request.content_type = "application/octet-stream";
	struct buffer answer = {0};
	int status = daemon_send(arguments, request, &answer);
	if (status == STATUS_OK && !file_write(arguments, NULL, &answer, true)) {
		status = STATUS_FAILED;
	}
	buffer_finish(&answer);
	arena_destroy(arena);
	return status;
}

int run_put(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const char *path = arguments->plain[1];
	if (file_is_input(path) && arguments->plain_count < 3) {
		fprintf(stderr, "pose: what is the rig called? say it: pose put - RIG\n");
		return STATUS_USAGE;
	}
	struct arena *arena = arena_create();
	const char *name =
		arguments->plain_count > 2 ? arguments->plain[2] : asset_name(arena, path);
	struct buffer asset = {0};
	int status = asset_read(arguments, path, &asset);
	if (status == STATUS_OK) {
		status = rigs_put(arguments, name, &asset);
	}
	buffer_finish(&asset);
	arena_destroy(arena);
	return status;
}
