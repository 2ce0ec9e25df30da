/* Uses of avatars, and whether the licence in a VRM file allows them.
 *
 * Source: `meta` of VRMC_vrm-1.0 and of VRM 0.x, github.com/vrm-c/vrm-specification. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rig;

/* The parts of an avatar that leave posed. Poses, lists and descriptions are neither. */
enum licence_part {
	LICENCE_NOTHING,
	LICENCE_PICTURES, // shown, not handed out
	LICENCE_FILES,    // the avatar itself, or its geometry or motion
};

/* The names of the uses, such as "commercial"; ended by NULL. */
extern const char *const licence_use_names[];

#define LICENCE_USES_BYTES 160

/* Reads names with commas between, or "none", into a set of bits by position among the names.
 * False with ERROR_INVALID_VALUE. */
bool licence_read_uses(const char *text, size_t length, unsigned *uses, struct error *err);

/* Checks that the licence allows all uses of a part of the rig. A member that the file lacks has
 * the default of VRM 1.0, or in VRM 0.x allows nothing. Rigs that are no avatars allow all. False
 * with ERROR_LICENCE that names the member, its value and the values that would do. Any thread. */
bool licence_check(const struct rig *rig, unsigned uses, enum licence_part part, struct error *err);
