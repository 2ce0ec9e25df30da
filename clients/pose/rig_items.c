// Items that are stored beside a rig under names of their own.
#include "rig_items.h"

#include <stdio.h>
#include <string.h>

#include "daemon.h"
#include "status.h"
#include "url_text.h"

int rig_item_run(const struct rig_item *item, const struct rig_item_verb *verbs, size_t count,
	const char *command, const char *usage) {
	const struct arguments *arguments = item->arguments;
	const size_t given = arguments->plain_count - 1;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(verbs[i].name, arguments->plain[KEPT_VERB]) == 0 &&
			given >= verbs[i].least && given <= verbs[i].most) {
			return verbs[i].run(item);
		}
	}
	fprintf(stderr, "usage: pose %s %s\n", command, usage);
	return STATUS_USAGE;
}

const char *rig_item_path(const struct rig_item *item) {
	const struct arguments *arguments = item->arguments;
	const char *all = arena_printf(item->arena, "/v1/rigs/%s/%s",
		url_encode(item->arena, arguments->plain[KEPT_RIG]), item->collection);
	return arguments->plain_count > KEPT_NAME
		? arena_printf(item->arena, "%s/%s", all,
			  url_encode(item->arena, arguments->plain[KEPT_NAME]))
		: all;
}

int rig_item_get(const struct rig_item *item, const char *path, const struct form *const *forms,
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

int rig_item_put(const struct rig_item *item, const char *path, const char *type,
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

int rig_item_delete(const struct rig_item *item) {
	const struct http_request request = {.method = "DELETE", .path = rig_item_path(item)};
	return daemon_fetch(item->arguments, request, ANSWER_TEXT);
}
