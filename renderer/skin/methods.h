/* The table of skinning methods. */
#pragma once

#include "base/value.h"
#include "skin/method.h"

/* The i-th method, NULL past the end. The first is the default. */
const struct skinning_method *skin_method(size_t i);

/* The row of a method in the table. */
size_t skin_method_index(const struct skinning_method *method);

/* True when other methods can build on this one: it has a kernel of its own, for the rig's own
 * vertices. */
bool skin_method_is_base(const struct skinning_method *method);

/* The method that a request names (a string value; NULL = the default), or NULL with
 * ERROR_UNKNOWN_METHOD and the list of ids, or ERROR_INVALID_VALUE. */
const struct skinning_method *skin_method_find(const struct value *id, struct error *err);
