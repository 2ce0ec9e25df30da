/* JSON text -> a tree of plain values, for texts that are sound. */
#pragma once

#include "base/arena.h"
#include "base/value.h"

/* Reads a list or an object into the arena, as json_read does. NULL for what is no such JSON, or
 * beyond a limit, without memory, and for objects of very many members: json_read then reads it by
 * other means, or says in detail what is wrong. */
const struct value *json_read_quickly(struct arena *arena, const void *text, size_t size);
