/* Palette slots that are one and the same matrix in every pose. */
#pragma once

#include "model/rig.h"

/* The lowest slot with the same joint and the same inverse bind matrix, for every slot: skins that
 * share joints have slots of their own, and so has each primitive that no skin moves.
 * Returns [rig->slot_count] to free(), or NULL with ERROR_TOO_LARGE. */
int *slots_unify(const struct rig *rig, struct error *err);
