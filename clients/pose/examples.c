// `pose example put|list|show|delete RIG [NAME [FILE]]`.
#include "examples.h"

#include <stdio.h>
#include <string.h>

#include "files.h"
#include "forms.h"
#include "json_argument.h"
#include "request_text.h"
#include "rig_items.h"
#include "status.h"
#include "url_text.h"

static int get(const struct rig_item *item) {
	static const struct form raw = {
		"--raw", NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
	static const struct form *const forms[] = {&form_json, &raw};
	return rig_item_get(item, rig_item_path(item), forms, sizeof forms / sizeof *forms);
}

/* {"pose": ..., "targets": ...} */
static int put_targets(const struct rig_item *item, const char *pose, const char *targets) {
	struct buffer body = {0};
	struct json_writer json = {.out = &body};
	json_write_begin_object(&json);
	json_write_key(&json, "pose");
	bool ok = json_argument_write(&json, "--pose", pose);
	json_write_key(&json, "targets");
	ok = ok && json_argument_write(&json, "--targets", targets);
	json_write_end_object(&json);
	const int status = ok ? rig_item_put(item, rig_item_path(item), form_json.media_type, &body)
			      : STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

/* The pose in the query, as octets and files have no place for it. */
static int put_vertices(const struct rig_item *item, const char *pose, const char *type,
	const struct buffer *body) {
	const char *attributes = arguments_value(item->arguments, "--attributes");
	const char *path = arena_printf(item->arena, "%s?pose=%s%s%s", rig_item_path(item),
		url_encode(item->arena, pose), attributes ? "&attributes=" : "",
		attributes ? url_encode(item->arena, attributes) : "");
	return rig_item_put(item, path, type, body);
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int put_file(const struct rig_item *item, const char *file) {
	const bool has_pose = ends_with(file, ".json");
	struct buffer body = {0}, pose = {0};
	int status = STATUS_USAGE;
	if (has_pose || request_text_pose(item->arguments, &pose)) {
		buffer_append(&pose, "", 1);
		const char *text = (const char *)pose.data;
		const char *type =
			ends_with(file, ".glb") ? form_glb.media_type : form_octets.media_type;
		status = !file_read(item->arguments, file, &body) ? STATUS_FAILED
			: has_pose
			? rig_item_put(item, rig_item_path(item), form_json.media_type, &body)
			: put_vertices(item, text, type, &body);
	}
	buffer_finish(&pose);
	buffer_finish(&body);
	return status;
}

static int put_any(const struct rig_item *item) {
	const char *targets = arguments_value(item->arguments, "--targets");
	const bool has_file = item->arguments->plain_count > KEPT_FILE;
	if (!targets == !has_file) {
		fprintf(stderr, "pose: the vertices come from a FILE or from --targets\n");
		return STATUS_USAGE;
	}
	if (has_file) {
		return put_file(item, item->arguments->plain[KEPT_FILE]);
	}
	struct buffer pose = {0};
	int status = STATUS_USAGE;
	if (request_text_pose(item->arguments, &pose)) {
		buffer_append(&pose, "", 1);
		status = put_targets(item, (const char *)pose.data, targets);
	}
	buffer_finish(&pose);
	return status;
}

int run_example(const struct command *command, const struct arguments *arguments) {
	static const struct rig_item_verb verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, get},
		{"show", 3, 3, get},
		{"delete", 3, 3, rig_item_delete},
	};
	struct arena *arena = arena_create();
	const struct rig_item item = {"examples", arguments, arena};
	const int status = rig_item_run(&item, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | show RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}
