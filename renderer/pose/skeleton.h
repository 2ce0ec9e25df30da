/* Which joints of a rig make up its skeleton. */
#pragma once

#include "model/rig.h"

/* Marks the joints that skins list, also those that move no vertex, or all where there is no skin.
 *
 * skinned  [rig->joint_count], all false before */
void skeleton_mark_skinned(const struct rig *rig, bool *skinned);
