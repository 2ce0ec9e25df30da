// The commands of `pose`.
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "clips.h"
#include "daemon.h"
#include "examples.h"
#include "files.h"
#include "fits.h"
#include "offline.h"
#include "request_text.h"
#include "url_text.h"

static const char json_type[] = "application/json", picture_type[] = "image/png";

/* Calls /v1/rigs/NAME (or /v1/rigs for NULL) and prints the answer. */
static int call_rigs(const struct arguments *arguments, const char *method, const char *name,
	const struct buffer *body) {
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = method,
		.path = name ? arena_printf(arena, "/v1/rigs/%s", url_encode(arena, name))
			     : "/v1/rigs",
		.body = body ? body->data : NULL,
		.body_bytes = body ? body->size : 0,
		.content_type = body ? "application/octet-stream" : NULL,
	};
	struct buffer answer = {0};
	bool fine = daemon_send(arguments, request, &answer);
	fine = fine && (answer.size == 0 || file_write(NULL, &answer, true));
	buffer_finish(&answer);
	arena_destroy(arena);
	return fine ? EXIT_FINE : EXIT_FAILED;
}

static int run_list(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return call_rigs(arguments, "GET", NULL, NULL);
}

static int run_show(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return call_rigs(arguments, "GET", arguments->plain[1], NULL);
}

static int run_compatibility(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(arena, "/v1/rigs/%s/compatibility?with=%s",
			url_encode(arena, arguments->plain[1]),
			url_encode(arena, arguments->plain[2])),
	};
	struct buffer answer = {0};
	const bool fine =
		daemon_send(arguments, request, &answer) && file_write(NULL, &answer, true);
	buffer_finish(&answer);
	arena_destroy(arena);
	return fine ? EXIT_FINE : EXIT_FAILED;
}

static int run_delete(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return call_rigs(arguments, "DELETE", arguments->plain[1], NULL);
}

/* "walks/fox.glb" -> "fox", in the arena. */
static const char *name_of_file(struct arena *arena, const char *path) {
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static int run_put(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const char *path = arguments->plain[1];
	const char *name =
		arguments->plain_count > 2 ? arguments->plain[2] : name_of_file(arena, path);
	struct buffer asset = {0};
	const int status =
		file_read(path, &asset) ? call_rigs(arguments, "PUT", name, &asset) : EXIT_FAILED;
	buffer_finish(&asset);
	arena_destroy(arena);
	return status;
}

/* Posts a request and writes the answer where -o says. */
static bool post(const struct command *command, const struct arguments *arguments,
	const struct buffer *body, const char *accept, struct buffer *answer) {
	char path[64];
	snprintf(path, sizeof path, "/v1/%s", command->name);
	const struct http_request request = {
		.method = "POST",
		.path = path,
		.body = body->data,
		.body_bytes = body->size,
		.content_type = "application/json",
		.accept = accept,
	};
	return daemon_send(arguments, request, answer);
}

static int run_mesh(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(
			arena, "/v1/rigs/%s/mesh.glb", url_encode(arena, arguments->plain[1])),
		.accept = "model/gltf-binary",
	};
	struct buffer answer = {0};
	const bool fine = daemon_send(arguments, request, &answer) &&
		file_write(arguments_value(arguments, "-o"), &answer, false);
	buffer_finish(&answer);
	arena_destroy(arena);
	return fine ? EXIT_FINE : EXIT_FAILED;
}

/* Sends a request that was read (else the usage was wrong) and writes the answer. */
static int finish_result(const struct command *command, const struct arguments *arguments,
	bool read, const struct buffer *body, const char *accept) {
	const bool is_text = strcmp(accept, json_type) == 0;
	struct buffer answer = {0};
	const bool fine = read && post(command, arguments, body, accept, &answer) &&
		file_write(arguments_value(arguments, "-o"), &answer, is_text);
	buffer_finish(&answer);
	return fine ? EXIT_FINE : read ? EXIT_FAILED : EXIT_USAGE;
}

static int run_result(const struct command *command, const struct arguments *arguments) {
	const bool as_json = command->bit == FOR_POSE || arguments_value(arguments, "--json");
	const bool as_mesh = arguments_value(arguments, "--glb");
	if (as_json && as_mesh) {
		fprintf(stderr, "pose: --json and --glb are two answers; give one of them\n");
		return EXIT_USAGE;
	}
	const char *accept = command->bit == FOR_FRAME ? picture_type
		: as_json                              ? json_type
		: as_mesh                              ? "model/gltf-binary"
						       : "application/octet-stream";
	struct buffer body = {0};
	const bool read = request_text(arguments, arguments->plain[1], &body);
	const int status = finish_result(command, arguments, read, &body, accept);
	buffer_finish(&body);
	return status;
}

/* Sends a request as a file has it. */
static int run_crowd(const struct command *command, const struct arguments *arguments) {
	const bool as_json = arguments_value(arguments, "--json");
	const bool as_octets = arguments_value(arguments, "--vertices");
	if (as_json && as_octets) {
		fprintf(stderr, "pose: --json and --vertices are two answers; give one of them\n");
		return EXIT_USAGE;
	}
	struct buffer body = {0};
	const int status = file_read(arguments->plain[1], &body)
		? finish_result(command, arguments, true, &body,
			  as_json             ? json_type
				  : as_octets ? "application/octet-stream"
					      : picture_type)
		: EXIT_FAILED;
	buffer_finish(&body);
	return status;
}

static int run_compare(const struct command *command, const struct arguments *arguments) {
	const char *accept = arguments_value(arguments, "--view") ? picture_type : json_type;
	struct buffer body = {0};
	const bool read = request_text_compare(arguments, arguments->plain[1], arguments->plain + 2,
		arguments->plain_count - 2, &body);
	const int status = finish_result(command, arguments, read, &body, accept);
	buffer_finish(&body);
	return status;
}

static int run_bake(const struct command *command, const struct arguments *arguments) {
	struct buffer body = {0};
	const bool read = request_text(arguments, arguments->plain[1], &body);
	const int status = finish_result(command, arguments, read, &body, "*/*");
	buffer_finish(&body);
	return status;
}

static int run_transitions(const struct command *command, const struct arguments *arguments) {
	struct buffer body = {0};
	const bool read = request_text_transitions(
		arguments, arguments->plain[1], arguments->plain[2], arguments->plain[3], &body);
	const int status = finish_result(command, arguments, read, &body, json_type);
	buffer_finish(&body);
	return status;
}

static int draw_file(const struct arguments *arguments, const char *path) {
	struct buffer asset = {0}, request = {0}, png = {0};
	struct error err = {0};
	int status = EXIT_USAGE;
	if (request_text(arguments, "file", &request)) {
		status = EXIT_FAILED;
		if (file_read(path, &asset)) {
			if (!offline_frame(asset.data, asset.size, &request, &png, &err)) {
				fprintf(stderr, "pose: %s: %s\n", path, err.text);
			} else if (file_write(arguments_value(arguments, "-o"), &png, false)) {
				status = EXIT_FINE;
			}
		}
	}
	buffer_finish(&asset);
	buffer_finish(&request);
	buffer_finish(&png);
	return status;
}

static int run_frame(const struct command *command, const struct arguments *arguments) {
	const char *subject = arguments->plain[1];
	// A rig's name has no slash: what has one, or is there as a file, is drawn right here.
	if (strchr(subject, '/') || access(subject, R_OK) == 0) {
		return draw_file(arguments, subject);
	}
	return run_result(command, arguments);
}

const struct command commands[] = {
	{"put", "FILE [RIG]", "store an asset under a name (default: the file's)", 1, 2, 0,
		run_put},
	{"list", "", "all rigs", 0, 0, 0, run_list},
	{"show", "RIG", "a rig's joints, clips, materials, warnings", 1, 1, 0, run_show},
	{"compatibility", "RIG OTHER", "what of the other's joints and clips a rig can use", 2, 2,
		0, run_compatibility},
	{"delete", "RIG", "remove a rig", 1, 1, 0, run_delete},
	{"pose", "RIG", "joints of a pose, as JSON", 1, 1, FOR_POSE, run_result},
	{"vertices", "RIG", "skinned vertices, as float32, --json or --glb", 1, 1, FOR_VERTICES,
		run_result},
	{"mesh", "RIG", "the rest pose as a GLB", 1, 1, FOR_MESH, run_mesh},
	{"frame", "RIG|FILE", "a picture, as PNG; a FILE needs no daemon", 1, 1, FOR_FRAME,
		run_frame},
	{"compare", "RIG METHOD...", "how 2 to 8 methods (ids, or objects in JSON) differ", 3, 9,
		FOR_COMPARE, run_compare},
	{"bake", "RIG", "a motion as a GLB or a tar of textures: --as says which", 1, 1, FOR_BAKE,
		run_bake},
	{"transitions", "RIG FROM TO",
		"where a clip can go on as another, and keeps to a core pose", 3, 3,
		FOR_TRANSITIONS, run_transitions},
	{"crowd", "FILE", "many figures in one picture; FILE is the request, in JSON", 1, 1,
		FOR_CROWD, run_crowd},
	{"example", "VERB RIG...", "put, list, show or delete poses with their vertices", 2, 4,
		FOR_EXAMPLE, run_example},
	{"clip", "VERB RIG...", "put, list, get or delete clips beside those in the file", 2, 4,
		FOR_CLIP, run_clip},
	{"fit", "RIG [METHOD]", "make what a method needs of a rig, or list what was made", 1, 2,
		FOR_FIT, run_fit},
	{NULL, NULL, NULL, 0, 0, 0, NULL},
};
