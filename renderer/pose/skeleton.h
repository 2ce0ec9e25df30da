/* Which joints of a rig make up its skeleton. */
#pragma once

#include "model/rig.h"

/* Marks the joints that a skin binds vertices to, or all where no skin does.
 *
 * skinned  [rig->joint_count], all false before */
void skeleton_mark_skinned(const struct rig *rig, bool *skinned);
