/* The other rigs that a pose expression may name, beside the one that it poses. Plain data. */
#pragma once

#include "base/value.h"
#include "model/rig.h"

/* Other rigs that one expression may name. */
#define POSE_SOURCES_MAX 16

struct pose_source {
	const char *name;
	const struct rig *rig; // borrowed
};

/* Zero is none. */
struct pose_sources {
	const struct pose_source *items; // [count]
	size_t count;
};

/* Adds the strings that name other rigs in an expression (NULL names none) to a list, each name
 * once, in the order in which they come: the member "rig" of every object with a member
 * "retarget", "copy" or "attach".
 *
 * names  [most], the caller's; [count] are there
 * Returns how many there are then, also where there is no room for them all. */
size_t pose_sources_list(
	const struct value *expression, const struct value **names, size_t count, size_t most);

/* The rig that a string names. NULL with ERROR_UNKNOWN_RIG and the place. */
const struct rig *pose_sources_find(
	const struct pose_sources *sources, const struct value *name, struct error *err);
