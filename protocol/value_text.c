// A tree of plain values -> JSON text.
#include "value_text.h"

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
