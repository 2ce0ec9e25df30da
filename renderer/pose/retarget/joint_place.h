/* Parts of mapping joints: not for others. */
#pragma once

#include "pose/retarget/joint_map.h"

/* Makes a pair, unless one of the two is -1 or has a partner. */
void joint_map_bind(struct joint_map *map, int ours, int theirs, enum joint_match match);

/* Pairs joints that have no partner below those that have, and at the roots: as many as they are on
 * both sides, in order, where what hangs below them has the same shape, or only children. */
void joint_map_bind_places(struct joint_map *map, struct arena *arena);

/* Whether both hierarchies have the same shape, children in the same order. */
bool joint_map_same_shape(const struct rig *ours, const struct rig *theirs, struct arena *arena);
