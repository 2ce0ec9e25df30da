/* A tree of plain values -> JSON text. */
#pragma once

#include "base/json_write.h"
#include "base/value.h"

/* Writes a value as json_read() reads it back: the same but for places. */
void value_text(const struct value *value, struct json_writer *json);
