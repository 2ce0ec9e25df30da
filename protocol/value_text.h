/* A tree of plain values -> JSON text, or another tree. */
#pragma once

#include "base/arena.h"
#include "base/json_write.h"
#include "base/value.h"

/* Writes a value as json_read() reads it back: the same but for places. */
void value_text(const struct value *value, struct json_writer *json);

/* Copies a tree into an arena: a root of its own, whose members clients call by their keys. */
const struct value *value_copy(struct arena *arena, const struct value *value);
