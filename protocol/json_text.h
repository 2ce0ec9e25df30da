/* JSON text <-> a tree of plain values. */
#pragma once

#include "base/arena.h"
#include "base/json_write.h"
#include "base/value.h"

/* Reads one JSON document of size bytes into the arena. Stricter than RFC 8259 where that leaves
 * room: no member twice, no NUL in strings, finite numbers, and the limits of limits.h. NULL with
 * ERROR_INVALID_JSON (jansson's own words, with line and column) or ERROR_TOO_LARGE. */
const struct value *json_read(
	struct arena *arena, const void *text, size_t size, struct error *err);

/* The same with a limit of its own on the number of values, for what is no request. */
const struct value *json_read_at_most(
	struct arena *arena, const void *text, size_t size, size_t values, struct error *err);

/* Writes a value as json_read() reads it back: the same but for places. */
void value_text(const struct value *value, struct json_writer *json);

/* Copies a tree into an arena: a root of its own, whose members clients call by their keys. */
const struct value *value_copy(struct arena *arena, const struct value *value);

/* Reads a list or an object into the arena, as json_read does. NULL for what is no such JSON, or
 * beyond a limit, without memory, and for objects of very many members: json_read then reads it by
 * other means, or says in detail what is wrong. */
const struct value *json_read_quickly(struct arena *arena, const void *text, size_t size);
