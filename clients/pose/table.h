/* The daemon's JSON as tables for people. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/value.h"

/* Reads a document and prints it by a function below. False when it is no JSON: nothing is printed.
 */
bool table_print(const struct buffer *document, void (*print)(const struct value *document));

void table_of_rigs(const struct value *document);
void table_of_rig(const struct value *document);
