// Changes to parts of a JSON text.
#include "optimise/edits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static void add(struct edits *edits, struct edit edit) {
	if (edits->count == edits->room) {
		struct edit *old = edits->list;
		edits->room = 2 * edits->room + 64;
		edits->list = arena_alloc(edits->arena, (size_t)edits->room, sizeof *edits->list);
		for (int i = 0; i < edits->count; i++) {
			edits->list[i] = old[i];
		}
	}
	edits->list[edits->count++] = edit;
}

void edits_replace(struct edits *edits, struct json_span part, const char *text, size_t length) {
	const char *copy = arena_strndup(edits->arena, text, length);
	add(edits, (struct edit){part.text, part.size, copy, length});
}

void edits_replace_whole(struct edits *edits, struct json_span part, uint64_t number) {
	char text[NUMBER_TEXT_BYTES];
	edits_replace(edits, part, text, number_write_integer((int64_t)number, text));
}

void edits_set_whole(
	struct edits *edits, struct json_span object, const char *name, uint64_t number) {
	const struct json_span member = json_span_member(object, name);
	if (member.text) {
		edits_replace_whole(edits, member, number);
	} else {
		const char *text = arena_printf(
			edits->arena, "\"%s\":%llu,", name, (unsigned long long)number);
		edits_insert(edits, object.text + 1, text, strlen(text));
	}
}

void edits_name_extension(
	struct edits *edits, struct json_span document, const char *list, const char *extension) {
	const struct json_span text = json_span_member(document, list);
	const char *quoted = arena_printf(edits->arena, "\"%s\"", extension);
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		if (json_span_is(value, quoted)) {
			return;
		}
	}
	const char *more = text.text
		? json_span_count(text) > 0 ? arena_printf(edits->arena, "%s,", quoted) : quoted
		: arena_printf(edits->arena, "\"%s\":[%s],", list, quoted);
	edits_insert(edits, (text.text ? text : document).text + 1, more, strlen(more));
}

void edits_insert(struct edits *edits, const char *at, const char *text, size_t length) {
	edits_replace(edits, (struct json_span){at, 0}, text, length);
}

void edits_remove(struct edits *edits, struct json_span container, const bool *goes) {
	struct json_items items = json_items_of(container);
	struct json_span name, value;
	const char *behind = NULL, *pending = NULL; // of the item before; of those at the front
	bool kept = false;
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		const char *start = name.text ? name.text - 1 : value.text;
		if (pending) {
			add(edits, (struct edit){pending, (size_t)(start - pending), "", 0});
			pending = NULL;
		}
		const char *end = value.text + value.size;
		if (goes[i] && kept) {
			add(edits, (struct edit){behind, (size_t)(end - behind), "", 0});
		} else if (goes[i]) {
			pending = start;
		}
		kept |= !goes[i];
		behind = end;
	}
	if (pending) {
		add(edits, (struct edit){pending, (size_t)(behind - pending), "", 0});
	}
}

void edits_remove_member(struct edits *edits, struct json_span object, const char *name) {
	const size_t count = json_span_count(object);
	bool *goes = arena_alloc(edits->arena, count + 1, sizeof *goes);
	struct json_items items = json_items_of(object);
	struct json_span found, value;
	for (int i = 0; json_items_next(&items, &found, &value); i++) {
		goes[i] = json_span_is(found, name);
	}
	edits_remove(edits, object, goes);
}

/* In the order of the text: insertions first, then the part that goes before parts of it. */
static int by_place(const void *a, const void *b) {
	const struct edit *x = a, *y = b;
	if (x->at != y->at) {
		return (x->at > y->at) - (x->at < y->at);
	}
	return x->size == 0 || y->size == 0 ? (x->size > y->size) - (x->size < y->size)
					    : (x->size < y->size) - (x->size > y->size);
}

void edits_apply(struct edits *edits, struct json_span text, struct buffer *out) {
	const char *at = text.text, *end = text.text + text.size;
	if (edits->count > 0) {
		qsort(edits->list, (size_t)edits->count, sizeof *edits->list, by_place);
	}
	for (int i = 0; i < edits->count; i++) {
		const struct edit *edit = &edits->list[i];
		if (edit->at < at) {
			continue;
		}
		assert(edit->at + edit->size <= end);
		buffer_append(out, at, (size_t)(edit->at - at));
		buffer_append(out, edit->text, edit->length);
		at = edit->at + edit->size;
	}
	buffer_append(out, at, (size_t)(end - at));
}
