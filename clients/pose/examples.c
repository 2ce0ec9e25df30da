// `pose example put|list|show|delete RIG [NAME [FILE]]`.
#include "examples.h"

#include <stdio.h>
#include <string.h>

#include "files.h"
#include "forms.h"
#include "json_argument.h"
#include "kept.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

static int get(const struct kept *kept) {
	static const struct form raw = {
		"--raw", NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
	static const struct form *const forms[] = {&form_json, &raw};
	return kept_get(kept, kept_path(kept), forms, sizeof forms / sizeof *forms);
}

/* {"pose": ..., "targets": ...} */
static int put_targets(const struct kept *kept, const char *pose, const char *targets) {
	struct buffer body = {0};
	struct json_writer json = {.out = &body};
	json_write_begin_object(&json);
	json_write_key(&json, "pose");
	bool fine = json_argument_write(&json, "--pose", pose);
	json_write_key(&json, "targets");
	fine = fine && json_argument_write(&json, "--targets", targets);
	json_write_end_object(&json);
	const int status =
		fine ? kept_put(kept, kept_path(kept), form_json.media_type, &body) : STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

/* The pose in the query, as octets and files have no place for it. */
static int put_vertices(
	const struct kept *kept, const char *pose, const char *type, const struct buffer *body) {
	const char *attributes = arguments_value(kept->arguments, "--attributes");
	const char *path = arena_printf(kept->arena, "%s?pose=%s%s%s", kept_path(kept),
		url_encode(kept->arena, pose), attributes ? "&attributes=" : "",
		attributes ? url_encode(kept->arena, attributes) : "");
	return kept_put(kept, path, type, body);
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int put_file(const struct kept *kept, const char *file) {
	const bool has_pose = ends_with(file, ".json");
	struct buffer body = {0}, pose = {0};
	int status = STATUS_USAGE;
	if (has_pose || request_text_pose(kept->arguments, &pose)) {
		buffer_append(&pose, "", 1);
		const char *text = (const char *)pose.data;
		const char *type =
			ends_with(file, ".glb") ? form_glb.media_type : form_octets.media_type;
		status = !file_read(kept->arguments, file, &body) ? STATUS_FAILED
			: has_pose ? kept_put(kept, kept_path(kept), form_json.media_type, &body)
				   : put_vertices(kept, text, type, &body);
	}
	buffer_finish(&pose);
	buffer_finish(&body);
	return status;
}

static int put_any(const struct kept *kept) {
	const char *targets = arguments_value(kept->arguments, "--targets");
	const bool has_file = kept->arguments->plain_count > KEPT_FILE;
	if (!targets == !has_file) {
		fprintf(stderr, "pose: the vertices come from a FILE or from --targets\n");
		return STATUS_USAGE;
	}
	if (has_file) {
		return put_file(kept, kept->arguments->plain[KEPT_FILE]);
	}
	struct buffer pose = {0};
	int status = STATUS_USAGE;
	if (request_text_pose(kept->arguments, &pose)) {
		buffer_append(&pose, "", 1);
		status = put_targets(kept, (const char *)pose.data, targets);
	}
	buffer_finish(&pose);
	return status;
}

int run_example(const struct command *command, const struct arguments *arguments) {
	static const struct kept_verb verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, get},
		{"show", 3, 3, get},
		{"delete", 3, 3, kept_delete},
	};
	struct arena *arena = arena_create();
	const struct kept kept = {"examples", arguments, arena};
	const int status = kept_run(&kept, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | show RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}
