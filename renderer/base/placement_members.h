/* A placement in the world, as the members translation, rotation and scale, or
 * transform, say. They stand beside others in one object, so reading them begins before it is read,
 * and ends behind. */
#pragma once

#include "base/value.h"

#define PLACEMENT_MEMBERS 4

/* The members; NULL = absent. */
struct placement_members {
	const struct value *translation, *rotation, *scale, *transform;
};

/* Lists the members, for value_read_members() to fill *found. */
void placement_begin(
	struct placement_members *found, struct member members[static PLACEMENT_MEMBERS]);

/* The map that they stand for, from the asset's world to the one that is asked for: rows of a 3x4
 * matrix whose numbers fit float32. It may mirror, and flatten. ERROR_INVALID_VALUE with the place
 * for what is no such map, or too large. */
bool placement_end(
	const struct placement_members *found, double rows[static 12], struct error *err);
