/* JSON text -> a tree of plain values. */
#pragma once

#include "base/arena.h"
#include "base/value.h"

/* Reads one JSON document of size bytes into the arena. Stricter than RFC 8259 where that leaves
 * room: no member twice, no NUL in strings, finite numbers, and the limits of limits.h. NULL with
 * ERROR_INVALID_JSON (jansson's own words, with line and column) or ERROR_TOO_LARGE. */
const struct value *json_read(
	struct arena *arena, const void *text, size_t size, struct error *err);
