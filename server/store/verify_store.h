/* Looks at every byte of a store's directory, in which nothing changes. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "verification.h"

/* Reads every record, all that the records name, and what was made for the rigs. It may run beside
 * a daemon: what that is writing is then not looked at, and what it replaces or deletes meanwhile
 * is no damage. Texts are made in the arena, *out is zeroed memory, whose findings are malloc
 * memory. False with ERROR_INTERNAL when the directory cannot be read. */
bool verify_store(
	const char *path, struct arena *arena, struct verification *out, struct error *err);
