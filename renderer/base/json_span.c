// Parts of a JSON text as they stand in it.
#include "base/json_span.h"

#include <string.h>

#define WHOLE_MAX (UINT64_C(1) << 53)

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_space(const char *at, const char *end) {
	while (at < end && is_space(*at)) {
		at++;
	}
	return at;
}

/* Behind the string that begins at `at`. */
static const char *skip_string(const char *at, const char *end) {
	for (at++; at < end && *at != '"'; at++) {
		at += *at == '\\' && at + 1 < end;
	}
	return at < end ? at + 1 : end;
}

/* Behind the list or the object that begins at `at`. */
static const char *skip_nested(const char *at, const char *end) {
	size_t depth = 0;
	while (at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
		if (depth == 0) {
			break;
		}
	}
	return at;
}

static const char *skip_value(const char *at, const char *end) {
	if (at < end && (*at == '{' || *at == '[')) {
		return skip_nested(at, end);
	}
	if (at < end && *at == '"') {
		return skip_string(at, end);
	}
	while (at < end && !is_space(*at) && !strchr(",]}", *at)) {
		at++;
	}
	return at;
}

struct json_span json_span_of(const char *text, size_t size) {
	const char *end = text + size, *from = skip_space(text, end);
	return (struct json_span){from, (size_t)(skip_value(from, end) - from)};
}

struct json_items json_items_of(struct json_span span) {
	if (!span.text || span.size < 2 || (*span.text != '[' && *span.text != '{')) {
		return (struct json_items){0};
	}
	return (struct json_items){span.text + 1, span.text + span.size - 1, *span.text == '{'};
}

bool json_items_next(struct json_items *items, struct json_span *name, struct json_span *value) {
	items->at = skip_space(items->at, items->end);
	if (items->at < items->end && *items->at == ',') {
		items->at = skip_space(items->at + 1, items->end);
	}
	if (items->at >= items->end) {
		return false;
	}
	*name = (struct json_span){0};
	if (items->is_object) {
		const char *behind = skip_value(items->at, items->end);
		const size_t size = (size_t)(behind - items->at);
		*name = (struct json_span){items->at + 1, size >= 2 ? size - 2 : 0};
		items->at = skip_space(behind, items->end);
		items->at += items->at < items->end && *items->at == ':';
		items->at = skip_space(items->at, items->end);
	}
	const char *behind = skip_value(items->at, items->end);
	*value = (struct json_span){items->at, (size_t)(behind - items->at)};
	// A place without a value must not be met again.
	items->at = behind + (behind == items->at && behind < items->end);
	return true;
}

bool json_span_is(struct json_span span, const char *text) {
	return span.text && span.size == strlen(text) && memcmp(span.text, text, span.size) == 0;
}

struct json_span json_span_member(struct json_span object, const char *name) {
	struct json_items items = json_items_of(object);
	struct json_span found = {0}, key, value;
	while (items.is_object && json_items_next(&items, &key, &value)) {
		found = json_span_is(key, name) ? value : found;
	}
	return found;
}

bool json_span_whole(struct json_span span, uint64_t *value) {
	uint64_t number = 0;
	for (size_t i = 0; i < span.size; i++) {
		const char c = span.text[i];
		if (c < '0' || c > '9' || number > WHOLE_MAX / 10) {
			return false;
		}
		number = 10 * number + (uint64_t)(c - '0');
	}
	*value = number;
	return span.size > 0;
}

size_t json_span_count(struct json_span span) {
	struct json_items items = json_items_of(span);
	struct json_span name, value;
	size_t count = 0;
	while (json_items_next(&items, &name, &value)) {
		count++;
	}
	return count;
}
