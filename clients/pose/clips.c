// `pose clip put|list|get|delete RIG [NAME [FILE]]`.
#include "clips.h"

#include <stdio.h>
#include <string.h>

#include "asset.h"
#include "forms.h"
#include "kept.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

/* The path with those of the options as parameters that are given. */
static const char *path_with(const struct kept *kept, const char *const *flags, size_t count) {
	const char *path = kept_path(kept);
	char separator = '?';
	for (size_t i = 0; i < count; i++) {
		const char *value = arguments_value(kept->arguments, flags[i]);
		if (value) {
			path = arena_printf(kept->arena, "%s%c%s=%s", path, separator, flags[i] + 2,
				url_encode(kept->arena, value));
			separator = '&';
		}
	}
	return path;
}

static int list(const struct kept *kept) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	return kept_get(kept, kept_path(kept), forms, sizeof forms / sizeof *forms);
}

static int get(const struct kept *kept) {
	static const struct form *const forms[] = {&form_json, &form_glb};
	static const char *const flags[] = {"--prune"};
	const char *path = path_with(kept, flags, sizeof flags / sizeof *flags);
	return kept_get(kept, path, forms, sizeof forms / sizeof *forms);
}

/* One of a file; what it is called there is said with --clip. With --map auto it is baked. */
static int put_file(const struct kept *kept, struct buffer *body) {
	static const char *const flags[] = {"--clip", "--map", "--rate"};
	const char *path = path_with(kept, flags, sizeof flags / sizeof *flags);
	const int status = asset_read(kept->arguments, kept->arguments->plain[KEPT_FILE], body);
	return status == STATUS_FINE ? kept_put(kept, path, "application/octet-stream", body)
				     : status;
}

static int put_any(const struct kept *kept) {
	struct buffer body = {0};
	const int status = kept->arguments->plain_count > KEPT_FILE ? put_file(kept, &body)
		: request_text_clip(kept->arguments, &body)
		? kept_put(kept, kept_path(kept), form_json.media_type, &body)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_clip(const struct command *command, const struct arguments *arguments) {
	static const struct kept_verb verbs[] = {
		{"put", 3, 4, put_any},
		{"list", 2, 2, list},
		{"get", 3, 3, get},
		{"delete", 3, 3, kept_delete},
	};
	struct arena *arena = arena_create();
	const struct kept kept = {"clips", arguments, arena};
	const int status = kept_run(&kept, verbs, sizeof verbs / sizeof *verbs, command->name,
		"put RIG NAME [FILE] | list RIG | get RIG NAME | delete RIG NAME");
	arena_destroy(arena);
	return status;
}
