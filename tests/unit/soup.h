/* Rigs taken apart and damaged, for tests of what looks at the mesh. */
#pragma once

#include "model/rig.h"

/* The same rig with three vertices of its own for every triangle, in two primitives that have slots
 * of their own: what a file full of seams looks like. The rig is one of rigs.h, of one primitive.
 * owner, [index_count], gets which vertex of the rig each is. */
struct rig *soup_of(const struct rig *rig, int *owner);
