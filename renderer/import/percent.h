/* Percent-encoding in URIs (RFC 3986, 2.1). */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Undoes %41; text without any is borrowed as it is. NULL with ERROR_BROKEN_ASSET where two
 * hexadecimal digits are missing. */
const char *percent_decode(const char *text, struct arena *arena, size_t *size, struct error *err);
