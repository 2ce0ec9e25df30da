/* A placement in the world, as the members translation, rotation and scale, or
 * transform, say. They stand beside others in one object. */
#pragma once

#include "base/value.h"

/* The members; NULL = absent. */
struct placement_members {
	const struct value *translation, *rotation, *scale, *transform;
};

/* Their rows. at: offset of the struct placement_members in the struct that the table is read into.
 */
#define PLACEMENT_MEMBERS(at) \
	{"translation", MEMBER_ANY, \
		.offset = (at) + offsetof(struct placement_members, translation)}, \
		{"rotation", MEMBER_ANY, \
			.offset = (at) + offsetof(struct placement_members, rotation)}, \
		{"scale", MEMBER_ANY, .offset = (at) + offsetof(struct placement_members, scale)}, \
	{ \
		"transform", MEMBER_ANY, \
			.offset = (at) + offsetof(struct placement_members, transform) \
	}

/* The map that they stand for, from the asset's world to the one that is asked for: rows of a 3x4
 * matrix whose numbers fit float32. It may mirror, and flatten. ERROR_INVALID_VALUE with the place
 * for what is no such map, or too large. */
bool placement_read(
	const struct placement_members *found, double rows[static 12], struct error *err);
