/* How a joint stands to the one above it among the palette's slots. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* For each slot one of the nearest joint above that has any in the same primitive; -1 = none.
 * above is [rig->slot_count]. */
void tree_slots_above(const struct rig *rig, struct arena *arena, int *above);

/* A rotation as a twist about an axis, of any length, first and a swing after it: q = swing *
 * twist, all unit quaternions. Where there is no axis, or the rotation has no twist that could be
 * told, it is all swing. METHODS 0.5. */
void tree_swing_twist(const double q[static 4], const double axis[static 3], double swing[static 4],
	double twist[static 4]);

/* A rotation as a matrix, rows of 3x4. */
void tree_rotation_matrix(const double q[static 4], double m[static 12]);
