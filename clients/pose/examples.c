// `pose example put|list|show|delete RIG [NAME [FILE]]`.
#include "examples.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "daemon.h"
#include "files.h"
#include "request_text.h"
#include "url_text.h"

static const char octet_type[] = "application/octet-stream", json_type[] = "application/json";

/* Where the arguments stand. */
enum { VERB = 1, RIG, NAME, FILE_NAME };

static const char *path_of(struct arena *arena, const struct arguments *arguments) {
	const char *rig = url_encode(arena, arguments->plain[RIG]);
	return arguments->plain_count > NAME ? arena_printf(arena, "/v1/rigs/%s/examples/%s", rig,
						       url_encode(arena, arguments->plain[NAME]))
					     : arena_printf(arena, "/v1/rigs/%s/examples", rig);
}

static int send(const struct arguments *arguments, const struct http_request *request) {
	const bool is_text = !request->accept || strcmp(request->accept, octet_type) != 0;
	struct buffer answer = {0};
	const bool fine = daemon_send(arguments, *request, &answer) &&
		(answer.size == 0 ||
			file_write(arguments_value(arguments, "-o"), &answer, is_text));
	buffer_finish(&answer);
	return fine ? EXIT_FINE : EXIT_FAILED;
}

static int get(struct arena *arena, const struct arguments *arguments) {
	const struct http_request request = {
		.method = "GET",
		.path = path_of(arena, arguments),
		.accept = arguments_value(arguments, "--raw") ? octet_type : json_type,
	};
	return send(arguments, &request);
}

static int delete (struct arena *arena, const struct arguments *arguments) {
	const struct http_request request = {.method = "DELETE", .path = path_of(arena, arguments)};
	return send(arguments, &request);
}

static int put(const struct arguments *arguments, const char *path, const char *type,
	const struct buffer *body) {
	const struct http_request request = {
		.method = "PUT",
		.path = path,
		.body = body->data,
		.body_bytes = body->size,
		.content_type = type,
	};
	return send(arguments, &request);
}

/* {"pose": ..., "targets": ...} */
static int put_targets(struct arena *arena, const struct arguments *arguments, const char *pose,
	const char *targets) {
	struct buffer body = {0};
	const char *text = arena_printf(arena, "{\"pose\":%s,\"targets\":%s}", pose, targets);
	buffer_append(&body, text, strlen(text));
	const int status = put(arguments, path_of(arena, arguments), json_type, &body);
	buffer_finish(&body);
	return status;
}

/* The pose in the query, as octets and files have no place for it. */
static int put_vertices(struct arena *arena, const struct arguments *arguments, const char *pose,
	const char *type, const struct buffer *body) {
	const char *attributes = arguments_value(arguments, "--attributes");
	const char *path = arena_printf(arena, "%s?pose=%s%s%s", path_of(arena, arguments),
		url_encode(arena, pose), attributes ? "&attributes=" : "",
		attributes ? url_encode(arena, attributes) : "");
	return put(arguments, path, type, body);
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int put_file(struct arena *arena, const struct arguments *arguments, const char *file) {
	const bool has_pose = ends_with(file, ".json");
	struct buffer body = {0}, pose = {0};
	int status = EXIT_USAGE;
	if (has_pose || request_text_pose(arguments, &pose)) {
		buffer_append(&pose, "", 1);
		const char *text = (const char *)pose.data;
		const char *type = ends_with(file, ".glb") ? "model/gltf-binary" : octet_type;
		status = !file_read(file, &body) ? EXIT_FAILED
			: has_pose ? put(arguments, path_of(arena, arguments), json_type, &body)
				   : put_vertices(arena, arguments, text, type, &body);
	}
	buffer_finish(&pose);
	buffer_finish(&body);
	return status;
}

static int put_any(struct arena *arena, const struct arguments *arguments) {
	const char *targets = arguments_value(arguments, "--targets");
	const bool has_file = arguments->plain_count > FILE_NAME;
	if (!targets == !has_file) {
		fprintf(stderr, "pose: the vertices come from a FILE or from --targets\n");
		return EXIT_USAGE;
	}
	if (has_file) {
		return put_file(arena, arguments, arguments->plain[FILE_NAME]);
	}
	struct buffer pose = {0};
	int status = EXIT_USAGE;
	if (request_text_pose(arguments, &pose)) {
		buffer_append(&pose, "", 1);
		status = put_targets(arena, arguments, (const char *)pose.data, targets);
	}
	buffer_finish(&pose);
	return status;
}

int run_example(const struct command *command, const struct arguments *arguments) {
	static const struct {
		const char *name;
		size_t least, most; // arguments with it
		int (*run)(struct arena *arena, const struct arguments *arguments);
	} verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, get},
		{"show", 3, 3, get},
		{"delete", 3, 3, delete},
	};
	const size_t given = arguments->plain_count - 1;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		if (strcmp(verbs[i].name, arguments->plain[VERB]) == 0 && given >= verbs[i].least &&
			given <= verbs[i].most) {
			struct arena *arena = arena_create();
			const int status = verbs[i].run(arena, arguments);
			arena_destroy(arena);
			return status;
		}
	}
	fprintf(stderr,
		"usage: pose %s put RIG NAME [FILE] | list RIG | show RIG NAME | delete RIG NAME\n",
		command->name);
	return EXIT_USAGE;
}
