/* Copies of results of checks, for those that outlive the rig and the memory of their check. */
#pragma once

#include "base/arena.h"
#include "base/check.h"

/* Copies a file's results with all that they point to into the arena.
 *
 * suppressions   of the profile that the file was checked by */
struct check_file check_copy_file(
	const struct check_file *file, size_t suppressions, struct arena *arena);
