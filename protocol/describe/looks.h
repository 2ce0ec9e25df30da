/* The renderer's structs of a rig's looks -> the plain structs that protocol/ writes. What they
 * point to is the rig's and the arena's. */
#pragma once

#include "base/arena.h"
#include "renderer.h"
#include "reply.h"

/* Fills in materials, lights and cameras. */
void describe_looks(const struct rig *rig, struct arena *arena, struct rig_description *out);
