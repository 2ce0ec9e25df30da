/* JSON text -> a tree. The C side of the only C++ here: simdjson stays in json_parse.cpp. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "import/json_tree.h"

/* The bytes of a document; borrowed. */
struct json_text {
	const char *bytes;
	size_t size;
	size_t room; // that may be read from bytes on: a few more than size save a copy of it all
};

/* Reads a document whose value is an object, strictly as in RFC 8259: UTF-8, nothing behind it,
 * numbers that a double can hold. Beyond that, what is deeper or has more values than
 * import/limits.h allows is refused. U+0000 in a string is read as U+FFFD, for strings end at it
 * here; *replaced counts such characters, and may be NULL. Of members of one name the last one
 * counts.
 * Returns NULL with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE, and the line and column of what is wrong
 * before the library's words. The tree lies in the arena and points nowhere else. Any thread. */
const struct json_value *json_parse(
	const struct json_text *text, struct arena *arena, size_t *replaced, struct error *err);
