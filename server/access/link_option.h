/* Options of signed links: path segments "name:value", percent-encoded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Both without percent-encoding, in the arena. */
struct link_option {
	const char *name, *value;
};

/* Takes a segment of length bytes apart at its first colon, encoded or not. False with
 * ERROR_INVALID_VALUE. */
bool link_option_read(struct arena *arena, const char *segment, size_t length,
	struct link_option *out, struct error *err);

/* The parameter of frame.png that an option is: itself, or what it is short for. NULL = none. */
const char *link_option_parameter(const char *name);

/* Refuses an option that is none of those of frame.png, nor one of others (names ended by NULL):
 * ERROR_UNKNOWN_MEMBER with all of them. Always returns false. */
bool link_option_refuse(const char *name, const char *const *others, struct error *err);
