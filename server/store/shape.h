/* What must stay of a rig for its examples to fit a new version of it. */
#pragma once

#include "model/rig.h"
#include "store/hash.h"

struct shape {
	char joints[HASH_TEXT_BYTES];    // of names and parents, and each primitive's vertex count
	char triangles[HASH_TEXT_BYTES]; // of what the vertices are joined to
};

void shape_of(const struct rig *rig, struct shape *out);
