// A tree of plain values -> JSON text, or another tree.
#include "value_text.h"

#include <string.h>

#include "base/buffer.h"

/* Keys are clients' words, where json_write_key() takes only ours. */
static void write_key(const char *key, struct json_writer *json) {
	json_write_string(json, key);
	buffer_append(json->out, ":", 1);
	json->separate = false;
}

static void write_object(const struct value *value, struct json_writer *json) {
	json_write_begin_object(json);
	for (size_t i = 0; i < value->count; i++) {
		write_key(value->items[i].key, json);
		value_text(&value->items[i], json);
	}
	json_write_end_object(json);
}

static void write_list(const struct value *value, struct json_writer *json) {
	json_write_begin_list(json);
	for (size_t i = 0; i < value->count; i++) {
		value_text(&value->items[i], json);
	}
	json_write_end_list(json);
}

void value_text(const struct value *value, struct json_writer *json) {
	switch (value->kind) {
	case VALUE_NULL:
		json_write_null(json);
		break;
	case VALUE_BOOL:
		json_write_bool(json, value->boolean);
		break;
	case VALUE_NUMBER:
		json_write_double(json, value->number);
		break;
	case VALUE_STRING:
		json_write_string(json, value->string);
		break;
	case VALUE_LIST:
		write_list(value, json);
		break;
	case VALUE_OBJECT:
		write_object(value, json);
		break;
	}
}

static void copy_into(struct arena *arena, const struct value *value, struct value *out) {
	*out = (struct value){
		.kind = value->kind,
		.boolean = value->boolean,
		.number = value->number,
		.string = value->string,
		.count = value->count,
	};
	if (value->kind == VALUE_STRING) {
		out->string = arena_strndup(arena, value->string, strlen(value->string));
	}
	if (value->kind != VALUE_LIST && value->kind != VALUE_OBJECT) {
		return;
	}
	struct value *items = arena_alloc(arena, value->count, sizeof *items);
	for (size_t i = 0; i < value->count; i++) {
		const char *key = value->items[i].key;
		copy_into(arena, &value->items[i], &items[i]);
		items[i].parent = out;
		items[i].index = i;
		items[i].key = key ? arena_strndup(arena, key, strlen(key)) : NULL;
	}
	out->items = items;
}

const struct value *value_copy(struct arena *arena, const struct value *value) {
	struct value *copy = arena_alloc(arena, 1, sizeof *copy);
	copy_into(arena, value, copy);
	return copy;
}
