// JSON text straight into a buffer.
#include "base/json_write.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

static void put(struct json_writer *json, const char *text, size_t length) {
	buffer_append(json->out, text, length);
}

/* Every value and key starts with this. */
static void begin_item(struct json_writer *json) {
	if (json->separate) {
		put(json, ",", 1);
	}
	json->separate = true;
}

static void begin_container(struct json_writer *json, const char *bracket) {
	begin_item(json);
	put(json, bracket, 1);
	json->separate = false;
}

static void end_container(struct json_writer *json, const char *bracket) {
	put(json, bracket, 1);
	json->separate = true;
}

void json_write_begin_object(struct json_writer *json) {
	begin_container(json, "{");
}

void json_write_end_object(struct json_writer *json) {
	end_container(json, "}");
}

void json_write_begin_list(struct json_writer *json) {
	begin_container(json, "[");
}

void json_write_end_list(struct json_writer *json) {
	end_container(json, "]");
}

void json_write_key(struct json_writer *json, const char *name) {
	begin_item(json);
	put(json, "\"", 1);
	put(json, name, strlen(name));
	put(json, "\":", 2);
	json->separate = false;
}

void json_write_null(struct json_writer *json) {
	begin_item(json);
	put(json, "null", 4);
}

void json_write_bool(struct json_writer *json, bool value) {
	begin_item(json);
	put(json, value ? "true" : "false", value ? 4 : 5);
}

void json_write_integer(struct json_writer *json, int64_t value) {
	char text[NUMBER_TEXT_BYTES];
	begin_item(json);
	put(json, text, number_write_integer(value, text));
}

void json_write_double(struct json_writer *json, double value) {
	char text[NUMBER_TEXT_BYTES];
	begin_item(json);
	put(json, text, number_write_double(value, text));
}

void json_write_float(struct json_writer *json, float value) {
	char text[NUMBER_TEXT_BYTES];
	begin_item(json);
	put(json, text, number_write_float(value, text));
}

void json_write_floats(struct json_writer *json, const float *values, size_t count) {
	json_write_begin_list(json);
	unsigned char *start = buffer_reserve(json->out, count * (NUMBER_TEXT_BYTES + 1));
	char *end = (char *)start;
	for (size_t i = 0; i < count; i++) {
		if (i > 0) {
			*end++ = ',';
		}
		end += number_write_float(values[i], end);
	}
	json->out->size += (size_t)(end - (char *)start);
	json_write_end_list(json);
}

/* Writes one byte that may not stand in a string as it is. */
static void put_escape(struct json_writer *json, char c) {
	const char *const named = "\"\\\b\f\n\r\t", *const letters = "\"\\bfnrt";
	const char *found = strchr(named, c);
	char text[8];
	const int length = (unsigned char)c >= 0x80 ? snprintf(text, sizeof text, "\xef\xbf\xbd")
		: found ? snprintf(text, sizeof text, "\\%c", letters[found - named])
			: snprintf(text, sizeof text, "\\u%04x", (unsigned char)c);
	put(json, text, (size_t)length);
}

void json_write_string(struct json_writer *json, const char *text) {
	begin_item(json);
	put(json, "\"", 1);
	const size_t length = strlen(text);
	size_t written = 0;
	for (size_t i = 0; i < length;) {
		const size_t bytes = utf8_character_bytes(text + i, length - i);
		const bool plain =
			(unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\';
		if (bytes == 0 || !plain) {
			put(json, text + written, i - written);
			put_escape(json, text[i]);
			written = i + 1;
		}
		i += bytes ? bytes : 1;
	}
	put(json, text + written, length - written);
	put(json, "\"", 1);
}

void json_write_member_string(struct json_writer *json, const char *name, const char *text) {
	json_write_key(json, name);
	json_write_string(json, text);
}

void json_write_member_integer(struct json_writer *json, const char *name, int64_t value) {
	json_write_key(json, name);
	json_write_integer(json, value);
}

void json_write_member_double(struct json_writer *json, const char *name, double value) {
	json_write_key(json, name);
	json_write_double(json, value);
}

void json_write_member_float(struct json_writer *json, const char *name, float value) {
	json_write_key(json, name);
	json_write_float(json, value);
}

void json_write_member_bool(struct json_writer *json, const char *name, bool value) {
	json_write_key(json, name);
	json_write_bool(json, value);
}

void json_write_member_doubles(
	struct json_writer *json, const char *name, const double *values, size_t count) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_double(json, values[i]);
	}
	json_write_end_list(json);
}

void json_write_member_strings(
	struct json_writer *json, const char *name, const char *const *texts, size_t count) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_string(json, texts[i]);
	}
	json_write_end_list(json);
}

void json_write_member_floats(
	struct json_writer *json, const char *name, const float *values, size_t count) {
	json_write_key(json, name);
	json_write_floats(json, values, count);
}
