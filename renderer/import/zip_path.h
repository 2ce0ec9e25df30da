/* Paths inside an archive. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Takes "", "." and ".." out of a path: "a/./b/../c" -> "a/c", in the arena. NULL when it starts
 * outside of the archive ("/x", "C:x") or leads out of it. */
char *zip_path_clean(const char *path, struct arena *arena);

/* The path that a URI reference names, seen from the folder of another path: percent-encoding
 * undone, cleaned, in the arena. NULL with *err when it is absolute, has a scheme, is broken or
 * leads out of the archive. */
char *zip_path_resolve(const char *from, const char *uri, struct arena *arena, struct error *err);
