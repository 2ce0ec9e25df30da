/* The rule for names of rigs, and of what is stored with them: 1 to 128 bytes of UTF-8 without "/"
 * and control characters, and not "." or "..". A name that keeps it is also a file name. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* False with ERROR_INVALID_NAME and the reason. */
bool name_check(const char *name, struct error *err);

/* The rule for names under which something is put: nothing in them is invisible or turns text
 * around, so that no two names look the same for that. Stores may have other names from before. */
bool name_check_new(const char *name, struct error *err);

/* A path segment's name, its percent-encoding undone, in the arena; NULL with ERROR_INVALID_NAME.
 * An encoded slash is refused like a plain one. */
const char *name_decode(struct arena *arena, const char *segment, size_t length, struct error *err);
