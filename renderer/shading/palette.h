/* Colours that tell joints apart. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* Fills [rig->joint_count] sRGB colours: that of a joint is another than its parent's and, as far
 * as there are enough, than those of its parent's other children. The same for the same joints. */
void palette_fill(const struct rig *rig, struct arena *arena, unsigned char (*colors)[3]);
