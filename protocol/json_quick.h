/* JSON text -> a tree of plain values, for what most requests are. */
#pragma once

#include "base/arena.h"
#include "base/value.h"

/* Reads a short document of ASCII without escapes, whose numbers have no exponent, into the arena,
 * as json_read does. NULL for any other, also for what is no JSON: that is for json_read to read,
 * or to refuse. */
const struct value *json_read_quickly(struct arena *arena, const void *text, size_t size);
