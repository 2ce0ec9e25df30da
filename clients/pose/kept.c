// What is kept beside a rig under names of its own.
#include "kept.h"

#include <stdio.h>
#include <string.h>

#include "daemon.h"
#include "status.h"
#include "url_text.h"

int kept_run(const struct kept *kept, const struct kept_verb *verbs, size_t count,
	const char *command, const char *usage) {
	const struct arguments *arguments = kept->arguments;
	const size_t given = arguments->plain_count - 1;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(verbs[i].name, arguments->plain[KEPT_VERB]) == 0 &&
			given >= verbs[i].least && given <= verbs[i].most) {
			return verbs[i].run(kept);
		}
	}
	fprintf(stderr, "usage: pose %s %s\n", command, usage);
	return STATUS_USAGE;
}

const char *kept_path(const struct kept *kept) {
	const struct arguments *arguments = kept->arguments;
	const char *all = arena_printf(kept->arena, "/v1/rigs/%s/%s",
		url_encode(kept->arena, arguments->plain[KEPT_RIG]), kept->collection);
	return arguments->plain_count > KEPT_NAME
		? arena_printf(kept->arena, "%s/%s", all,
			  url_encode(kept->arena, arguments->plain[KEPT_NAME]))
		: all;
}

int kept_get(
	const struct kept *kept, const char *path, const struct form *const *forms, size_t count) {
	const struct form *form = form_choose(kept->arguments, forms, count);
	if (!form) {
		return STATUS_USAGE;
	}
	const struct http_request request = {
		.method = "GET",
		.path = path,
		.accept = form->media_type,
	};
	return daemon_fetch(kept->arguments, request, form->kind);
}

int kept_put(
	const struct kept *kept, const char *path, const char *type, const struct buffer *body) {
	const struct http_request request = {
		.method = "PUT",
		.path = path,
		.body = body->data,
		.body_bytes = body->size,
		.content_type = type,
	};
	return daemon_fetch(kept->arguments, request, ANSWER_TEXT);
}

int kept_delete(const struct kept *kept) {
	const struct http_request request = {.method = "DELETE", .path = kept_path(kept)};
	return daemon_fetch(kept->arguments, request, ANSWER_TEXT);
}
