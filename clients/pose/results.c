// Commands for numbers.
#include "results.h"

#include <stdio.h>

#include "base/arena.h"
#include "daemon.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

static const char json_type[] = "application/json", mesh_type[] = "model/gltf-binary";

int run_mesh(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(
			arena, "/v1/rigs/%s/mesh.glb", url_encode(arena, arguments->plain[1])),
		.accept = mesh_type,
	};
	const int status = daemon_fetch(arguments, request, ANSWER_BYTES);
	arena_destroy(arena);
	return status;
}

static int post(const struct command *command, const struct arguments *arguments,
	const char *accept, enum answer_kind kind) {
	struct buffer body = {0};
	const int status = request_text(arguments, arguments->plain[1], &body)
		? daemon_post(arguments, command->name, &body, accept, kind)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_pose(const struct command *command, const struct arguments *arguments) {
	return post(command, arguments, json_type, ANSWER_TEXT);
}

int run_vertices(const struct command *command, const struct arguments *arguments) {
	const bool as_json = arguments_value(arguments, "--json");
	const bool as_mesh = arguments_value(arguments, "--glb");
	if (as_json && as_mesh) {
		fprintf(stderr, "pose: --json and --glb are two answers; give one of them\n");
		return STATUS_USAGE;
	}
	const char *accept = as_json ? json_type : as_mesh ? mesh_type : "application/octet-stream";
	return post(command, arguments, accept, as_json ? ANSWER_TEXT : ANSWER_BYTES);
}

int run_bake(const struct command *command, const struct arguments *arguments) {
	return post(command, arguments, "*/*", ANSWER_BYTES);
}

int run_transitions(const struct command *command, const struct arguments *arguments) {
	struct buffer body = {0};
	const bool read = request_text_transitions(
		arguments, arguments->plain[1], arguments->plain[2], arguments->plain[3], &body);
	const int status = read
		? daemon_post(arguments, command->name, &body, json_type, ANSWER_TEXT)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}
