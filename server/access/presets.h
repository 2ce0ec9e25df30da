/* Named sets of options for signed links. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "query.h"

/* Maximum presets of a file. */
#define MAX_PRESETS 1000

struct presets;

struct preset {
	const char *name;
	const struct query_parameter *parameters; // [count] of frame.png, in the line's order
	size_t count;                             // at least 1
};

/* Reads a file of lines "NAME = option:value/option:value", options as in links. Checks them as
 * far as that is possible without a rig. NULL with ERROR_INVALID_VALUE, which names the
 * line. */
struct presets *presets_read(const char *path, struct error *err);
void presets_destroy(struct presets *presets); // takes NULL

/* The preset of a name, borrowed. NULL with ERROR_INVALID_VALUE and the nearest names; presets may
 * be NULL: empty. */
const struct preset *presets_find(
	const struct presets *presets, const char *name, struct error *err);
