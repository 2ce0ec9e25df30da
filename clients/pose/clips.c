// `pose clip put|list|get|delete RIG [NAME [FILE]]`.
#include "clips.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "daemon.h"
#include "files.h"
#include "request_text.h"
#include "url_text.h"

static const char json_type[] = "application/json", mesh_type[] = "model/gltf-binary";

/* Where the arguments stand. */
enum { VERB = 1, RIG, NAME, FILE_NAME };

static const char *path_of(struct arena *arena, const struct arguments *arguments) {
	const char *rig = url_encode(arena, arguments->plain[RIG]);
	return arguments->plain_count > NAME ? arena_printf(arena, "/v1/rigs/%s/clips/%s", rig,
						       url_encode(arena, arguments->plain[NAME]))
					     : arena_printf(arena, "/v1/rigs/%s/clips", rig);
}

static int send(const struct arguments *arguments, const struct http_request *request) {
	const bool is_text = request->accept != mesh_type;
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
		.accept = arguments_value(arguments, "--glb") ? mesh_type : json_type,
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

/* One of a file; what it is called there is said with --clip. With --map auto it is baked. */
static int put_file(struct arena *arena, const struct arguments *arguments, struct buffer *body) {
	static const char *const flags[] = {"--clip", "--map", "--rate"};
	const char *path = path_of(arena, arguments);
	char separator = '?';
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		const char *value = arguments_value(arguments, flags[i]);
		if (value) {
			path = arena_printf(arena, "%s%c%s=%s", path, separator, flags[i] + 2,
				url_encode(arena, value));
			separator = '&';
		}
	}
	return file_read(arguments->plain[FILE_NAME], body)
		? put(arguments, path, "application/octet-stream", body)
		: EXIT_FAILED;
}

static int put_any(struct arena *arena, const struct arguments *arguments) {
	struct buffer body = {0};
	const int status = arguments->plain_count > FILE_NAME ? put_file(arena, arguments, &body)
		: request_text_clip(arguments, &body)
		? put(arguments, path_of(arena, arguments), json_type, &body)
		: EXIT_USAGE;
	buffer_finish(&body);
	return status;
}

int run_clip(const struct command *command, const struct arguments *arguments) {
	static const struct {
		const char *name;
		size_t least, most; // arguments with it
		int (*run)(struct arena *arena, const struct arguments *arguments);
	} verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, get},
		{"get", 3, 3, get},
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
		"usage: pose %s put RIG NAME [FILE] | list RIG | get RIG NAME | delete RIG NAME\n",
		command->name);
	return EXIT_USAGE;
}
