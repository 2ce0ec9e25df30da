// JSON text <-> a tree of plain values: simdjson reads it, and jansson what that does not take.
#include "json_text.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "limits.h"

struct reader {
	struct arena *arena;
	size_t most, left; // values that may be made at all, and still
	struct error *err;
};

static bool read_value(struct reader *reader, json_t *json, int depth, struct value *out);

static bool read_items(struct reader *reader, json_t *json, int depth, struct value *out) {
	out->count = json_is_array(json) ? json_array_size(json) : json_object_size(json);
	if (out->count > reader->left) {
		return error_set(reader->err, ERROR_TOO_LARGE,
			"the JSON text has more than %zu values", reader->most);
	}
	if (depth == LIMIT_JSON_DEPTH) {
		return value_error(out, reader->err, ERROR_INVALID_JSON,
			"lists and objects are nested more than %d deep", LIMIT_JSON_DEPTH);
	}
	reader->left -= out->count;
	struct value *items = arena_alloc(reader->arena, out->count, sizeof *items);
	out->items = items;
	void *member = json_object_iter(json);
	for (size_t i = 0; i < out->count; i++) {
		json_t *item = member ? json_object_iter_value(member) : json_array_get(json, i);
		items[i].parent = out;
		items[i].index = i;
		if (member) {
			const char *key = json_object_iter_key(member);
			items[i].key = arena_strndup(reader->arena, key, strlen(key));
			member = json_object_iter_next(json, member);
		}
		if (!read_value(reader, item, depth + 1, &items[i])) {
			return false;
		}
	}
	return true;
}

static bool read_value(struct reader *reader, json_t *json, int depth, struct value *out) {
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		out->kind = VALUE_OBJECT;
		return read_items(reader, json, depth, out);
	case JSON_ARRAY:
		out->kind = VALUE_LIST;
		return read_items(reader, json, depth, out);
	case JSON_STRING:
		out->kind = VALUE_STRING;
		out->string = arena_strndup(
			reader->arena, json_string_value(json), json_string_length(json));
		return true;
	case JSON_INTEGER:
	case JSON_REAL:
		out->kind = VALUE_NUMBER;
		out->number = json_number_value(json);
		return true;
	case JSON_TRUE:
	case JSON_FALSE:
		out->kind = VALUE_BOOL;
		out->boolean = json_is_true(json);
		return true;
	case JSON_NULL:
		out->kind = VALUE_NULL;
		return true;
	}
	return false;
}

/* The library takes some refused allocations for mistakes in the text. */
static void *allocate(size_t size) {
	void *block = malloc(size);
	if (!block) {
		memory_release_reserve();
		block = malloc(size);
	}
	return block;
}

static void set_allocator(void) {
	json_set_alloc_funcs(allocate, free);
}

static const struct value *read_any(
	struct arena *arena, const void *text, size_t size, size_t values, struct error *err) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, set_allocator);
	json_error_t reason;
	// Integers are read as doubles: all numbers of the API are, and 64 bits would not do.
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
	json_t *json = json_loadb(text, size, flags, &reason);
	if (!json && (json_error_code(&reason) == json_error_out_of_memory || !*reason.text)) {
		error_set(err, ERROR_OVERLOADED, "no memory to read the JSON; try again");
		return NULL;
	}
	if (!json) {
		error_set(err, ERROR_INVALID_JSON, "line %d, column %d: %s", reason.line,
			reason.column, reason.text);
		return NULL;
	}
	struct reader reader = {.arena = arena, .most = values, .left = values, .err = err};
	struct value *root = arena_alloc(arena, 1, sizeof *root);
	const bool read = read_value(&reader, json, 0, root);
	json_decref(json);
	return read ? root : NULL;
}

const struct value *json_read(
	struct arena *arena, const void *text, size_t size, struct error *err) {
	return json_read_at_most(arena, text, size, LIMIT_JSON_VALUES, err);
}

const struct value *json_read_at_most(
	struct arena *arena, const void *text, size_t size, size_t values, struct error *err) {
	const bool quickly = values >= LIMIT_JSON_VALUES;
	const struct value *root = quickly ? json_read_quickly(arena, text, size) : NULL;
	return root ? root : read_any(arena, text, size, values, err);
}

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
