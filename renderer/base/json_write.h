/* Writes JSON text straight into a buffer: six to twelve times as fast for a pose as building a
 * tree of values and printing that. The caller keeps begin and end in pairs. Names have the whole
 * prefix json_write_, since json_string and the like are jansson's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* {.out = &buffer} begins a document. */
struct json_writer {
	struct buffer *out; // borrowed
	bool separate;      // the next item needs a comma before it
};

void json_write_begin_object(struct json_writer *json);
void json_write_end_object(struct json_writer *json);
void json_write_begin_list(struct json_writer *json);
void json_write_end_list(struct json_writer *json);

/* The name of the member whose value comes next. name needs no escaping. */
void json_write_key(struct json_writer *json, const char *name);

void json_write_null(struct json_writer *json);
void json_write_bool(struct json_writer *json, bool value);
void json_write_integer(struct json_writer *json, int64_t value);

/* Finite numbers, as the shortest text that reads back the same. */
void json_write_double(struct json_writer *json, double value);
void json_write_float(struct json_writer *json, float value);
void json_write_floats(struct json_writer *json, const float *values, size_t count); // a list

/* UTF-8, escaped. What is malformed, as headers can be that errors quote, becomes U+FFFD. */
void json_write_string(struct json_writer *json, const char *text);

/* A whole member of an object. */
void json_write_member_string(struct json_writer *json, const char *name, const char *text);
void json_write_member_integer(struct json_writer *json, const char *name, int64_t value);
void json_write_member_double(struct json_writer *json, const char *name, double value);
void json_write_member_float(struct json_writer *json, const char *name, float value);
void json_write_member_bool(struct json_writer *json, const char *name, bool value);
void json_write_member_doubles(
	struct json_writer *json, const char *name, const double *values, size_t count);
void json_write_member_strings(
	struct json_writer *json, const char *name, const char *const *texts, size_t count);
void json_write_member_floats(
	struct json_writer *json, const char *name, const float *values, size_t count);
