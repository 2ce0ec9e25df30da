/* The palette: one matrix per slot, M = world(joint) * inverse bind. */
#pragma once

#include "model/rig.h"

/* Fills matrices ([rig->slot_count] rows of 3x4) from the joints' world matrices
 * ([rig->joint_count] rows of 3x4). Never fails. METHODS E3. */
void palette_build(const struct rig *rig, const double (*world)[12], double (*matrices)[12]);
