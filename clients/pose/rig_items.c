// `pose clip` and `pose example`: items that are stored beside a rig under names of their own,
// COMMAND VERB RIG [NAME [FILE]].
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "asset.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "daemon.h"
#include "files.h"
#include "forms.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

/* The positions of the arguments. */
enum { ITEM_VERB = 1, ITEM_RIG, ITEM_NAME, ITEM_FILE };

struct rig_item {
	const char *collection; // in the path: "clips"
	const struct arguments *arguments;
	struct arena *arena;
};

struct item_verb {
	const char *name;
	size_t least, most; // arguments with it
	int (*run)(const struct rig_item *item);
};

/* Runs the verb that the arguments name, of [count]; prints the usage where there is none. Returns
 * the exit status. */
static int item_run(const struct rig_item *item, const struct item_verb *verbs, size_t count,
	const char *command, const char *usage) {
	const struct arguments *arguments = item->arguments;
	const size_t given = arguments->plain_count - 1;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(verbs[i].name, arguments->plain[ITEM_VERB]) == 0 &&
			given >= verbs[i].least && given <= verbs[i].most) {
			return verbs[i].run(item);
		}
	}
	fprintf(stderr, "usage: pose %s %s\n", command, usage);
	return STATUS_USAGE;
}

/* The path of the one that the arguments name, or of all where they name none. In the arena. */
static const char *item_path(const struct rig_item *item) {
	const struct arguments *arguments = item->arguments;
	const char *all = arena_printf(item->arena, "/v1/rigs/%s/%s",
		url_encode(item->arena, arguments->plain[ITEM_RIG]), item->collection);
	return arguments->plain_count > ITEM_NAME
		? arena_printf(item->arena, "%s/%s", all,
			  url_encode(item->arena, arguments->plain[ITEM_NAME]))
		: all;
}

/* Gets what is at a path in the one of [count] forms that is asked for, as form_choose() has it,
 * and writes it where -o says. The exit status. */
static int item_get(const struct rig_item *item, const char *path, const struct form *const *forms,
	size_t count) {
	const struct form *form = form_choose(item->arguments, forms, count);
	if (!form) {
		return STATUS_USAGE;
	}
	const struct http_request request = {
		.method = "GET",
		.path = path,
		.accept = form->media_type,
	};
	return daemon_fetch(item->arguments, request, form->kind);
}

/* Puts a body to a path, item_path() with a query or without. The exit status. */
static int item_put(const struct rig_item *item, const char *path, const char *type,
	const struct buffer *body) {
	const struct http_request request = {
		.method = "PUT",
		.path = path,
		.body = body->data,
		.body_bytes = body->size,
		.content_type = type,
	};
	return daemon_fetch(item->arguments, request, ANSWER_TEXT);
}

static int item_delete(const struct rig_item *item) {
	const struct http_request request = {.method = "DELETE", .path = item_path(item)};
	return daemon_fetch(item->arguments, request, ANSWER_TEXT);
}

/* --- Clips --- */

/* The path with those of the options as parameters that are given. */
static const char *path_with(const struct rig_item *item, const char *const *flags, size_t count) {
	const char *path = item_path(item);
	char separator = '?';
	for (size_t i = 0; i < count; i++) {
		const char *value = arguments_value(item->arguments, flags[i]);
		if (value) {
			path = arena_printf(item->arena, "%s%c%s=%s", path, separator, flags[i] + 2,
				url_encode(item->arena, value));
			separator = '&';
		}
	}
	return path;
}

static int list_clips(const struct rig_item *item) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	return item_get(item, item_path(item), forms, sizeof forms / sizeof *forms);
}

static int get_clip(const struct rig_item *item) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	static const char *const flags[] = {"--prune"};
	const char *path = path_with(item, flags, sizeof flags / sizeof *flags);
	return item_get(item, path, forms, sizeof forms / sizeof *forms);
}

/* One of a file; what it is called there is said with --clip. */
static int put_clip_file(const struct rig_item *item, struct buffer *body) {
	static const char *const flags[] = {"--clip", "--map", "--scale", "--rate"};
	const char *path = path_with(item, flags, sizeof flags / sizeof *flags);
	const int status = asset_read(item->arguments, item->arguments->plain[ITEM_FILE], body);
	return status == STATUS_OK ? item_put(item, path, "application/octet-stream", body)
				   : status;
}

static int put_clip(const struct rig_item *item) {
	struct buffer body = {0};
	const int status = item->arguments->plain_count > ITEM_FILE ? put_clip_file(item, &body)
		: request_text_clip(item->arguments, &body)
		? item_put(item, item_path(item), form_json.media_type, &body)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_clip(const struct command *command, const struct arguments *arguments) {
	static const struct item_verb verbs[] = {
		{"put", 3, 4, put_clip},
		{"list", 2, 2, list_clips},
		{"get", 3, 3, get_clip},
		{"delete", 3, 3, item_delete},
	};
	struct arena *arena = arena_create();
	const struct rig_item item = {"clips", arguments, arena};
	const int status = item_run(&item, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | get RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}

/* --- Examples --- */

static int get_example(const struct rig_item *item) {
	static const struct form raw = {
		"--raw", NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
	static const struct form *const forms[] = {&form_json, &raw};
	return item_get(item, item_path(item), forms, sizeof forms / sizeof *forms);
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
	const int status =
		ok ? item_put(item, item_path(item), form_json.media_type, &body) : STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

/* The pose in the query, as octets and files have no place for it. */
static int put_vertices(const struct rig_item *item, const char *pose, const char *type,
	const struct buffer *body) {
	const char *attributes = arguments_value(item->arguments, "--attributes");
	const char *path = arena_printf(item->arena, "%s?pose=%s%s%s", item_path(item),
		url_encode(item->arena, pose), attributes ? "&attributes=" : "",
		attributes ? url_encode(item->arena, attributes) : "");
	return item_put(item, path, type, body);
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int put_example_file(const struct rig_item *item, const char *file) {
	const bool has_pose = ends_with(file, ".json");
	struct buffer body = {0}, pose = {0};
	int status = STATUS_USAGE;
	if (has_pose || request_text_pose(item->arguments, &pose)) {
		buffer_append(&pose, "", 1);
		const char *text = (const char *)pose.data;
		const char *type =
			ends_with(file, ".glb") ? form_glb.media_type : form_octets.media_type;
		status = !file_take(item->arguments, file, &body) ? STATUS_FAILED
			: has_pose ? item_put(item, item_path(item), form_json.media_type, &body)
				   : put_vertices(item, text, type, &body);
	}
	buffer_finish(&pose);
	buffer_finish(&body);
	return status;
}

static int put_example(const struct rig_item *item) {
	const char *targets = arguments_value(item->arguments, "--targets");
	const bool has_file = item->arguments->plain_count > ITEM_FILE;
	if (!targets == !has_file) {
		fprintf(stderr, "pose: the vertices come from a FILE or from --targets\n");
		return STATUS_USAGE;
	}
	if (has_file) {
		return put_example_file(item, item->arguments->plain[ITEM_FILE]);
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
	static const struct item_verb verbs[] = {
		{"put", 3, 4, put_example},
		{"list", 2, 2, get_example},
		{"show", 3, 3, get_example},
		{"delete", 3, 3, item_delete},
	};
	struct arena *arena = arena_create();
	const struct rig_item item = {"examples", arguments, arena};
	const int status = item_run(&item, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | show RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}
