// `pose clip put|list|get|delete RIG [NAME [FILE]]`.
#include "clips.h"

#include <stdio.h>
#include <string.h>

#include "asset.h"
#include "forms.h"
#include "request_text.h"
#include "rig_items.h"
#include "status.h"
#include "url_text.h"

/* The path with those of the options as parameters that are given. */
static const char *path_with(const struct rig_item *item, const char *const *flags, size_t count) {
	const char *path = rig_item_path(item);
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

static int list(const struct rig_item *item) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	return rig_item_get(item, rig_item_path(item), forms, sizeof forms / sizeof *forms);
}

static int get(const struct rig_item *item) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	static const char *const flags[] = {"--prune"};
	const char *path = path_with(item, flags, sizeof flags / sizeof *flags);
	return rig_item_get(item, path, forms, sizeof forms / sizeof *forms);
}

/* One of a file; what it is called there is said with --clip. With --map auto it is baked. */
static int put_file(const struct rig_item *item, struct buffer *body) {
	static const char *const flags[] = {"--clip", "--map", "--rate"};
	const char *path = path_with(item, flags, sizeof flags / sizeof *flags);
	const int status = asset_read(item->arguments, item->arguments->plain[KEPT_FILE], body);
	return status == STATUS_FINE ? rig_item_put(item, path, "application/octet-stream", body)
				     : status;
}

static int put_any(const struct rig_item *item) {
	struct buffer body = {0};
	const int status = item->arguments->plain_count > KEPT_FILE ? put_file(item, &body)
		: request_text_clip(item->arguments, &body)
		? rig_item_put(item, rig_item_path(item), form_json.media_type, &body)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_clip(const struct command *command, const struct arguments *arguments) {
	static const struct rig_item_verb verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, list},
		{"get", 3, 3, get},
		{"delete", 3, 3, rig_item_delete},
	};
	struct arena *arena = arena_create();
	const struct rig_item item = {"clips", arguments, arena};
	const int status = rig_item_run(&item, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | get RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}
