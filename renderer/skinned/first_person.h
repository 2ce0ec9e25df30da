/* The meshes of a VRM avatar that a picture shows: who looks out of its head does not see it. */
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "model/rig.h"

/* The rig with the primitives that a view shows: *out is rig itself where that is all of them, or
 * else a copy in the arena whose primitives have no or fewer indices, for draw jobs alone. False
 * with ERROR_INVALID_VALUE where the view is a first person's and a method has cut the mesh into
 * batches, whose triangles are in another order. Source: VRMC_vrm 1.0, firstPerson. */
bool first_person_show(enum picture_view view, const struct rig *rig, bool is_cut,
	struct arena *arena, const struct rig **out, struct error *err);
