/* Compressed clips with all their keys, for those who read keys themselves. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* The clip of a rig with values in all its channels: itself, or a copy in the arena, which can
 * still be sampled with the rig. Never fails. */
const struct clip *clip_expand(const struct rig *rig, const struct clip *clip, struct arena *arena);
