// Commands about rigs.
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "asset.h"
#include "base/arena.h"
#include "daemon.h"
#include "files.h"
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

/* Prints the answer: people at a terminal get tables, everyone else JSON. */
static int print(const struct arguments *arguments, const char *name,
	void (*table)(const struct value *document)) {
	struct arena *arena = arena_create();
	struct buffer answer = {0};
	int status = daemon_send(arguments, about(arena, "GET", name), &answer);
	if (status == STATUS_OK) {
		const bool for_people = isatty(STDOUT_FILENO) && !arguments_want_json(arguments);
		status = for_people && table_print(&answer, table)
			? STATUS_OK
			: answer_write(arguments, &answer, ANSWER_TEXT);
	}
	buffer_finish(&answer);
	arena_destroy(arena);
	return status;
}

int run_list(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return print(arguments, NULL, table_of_rigs);
}

int run_show(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return print(arguments, arguments->plain[1], table_of_rig);
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

/* "walks/fox.glb" -> "fox", in the arena. */
static const char *name_of_file(struct arena *arena, const char *path) {
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
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
		arguments->plain_count > 2 ? arguments->plain[2] : name_of_file(arena, path);
	struct buffer asset = {0};
	int status = asset_read(arguments, path, &asset);
	if (status == STATUS_OK) {
		status = rigs_put(arguments, name, &asset);
	}
	buffer_finish(&asset);
	arena_destroy(arena);
	return status;
}
