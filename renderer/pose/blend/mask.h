/* Masks: how much say a pose has at each joint when it is blended. */
#pragma once

#include "base/value.h"
#include "model/rig.h"

/* Reads {"Spine": 1, "Hips": 0} into a number in [0, 1] for each joint: a member's value holds for
 * its joint and all below it, until a nearer member says otherwise. Joints above every named one
 * have 1 if the mask names only zeros (or nothing), else 0.
 *
 * A member may be {"weight": w, "fade": n} instead: with v the value of the joint above the one
 * that it names (or, of a root, that of joints above every named one), the joint itself has v + (w
 * - v) / n, those below it v + (w - v) 2 / n, and so on down to w. METHODS C.8, feather.
 *
 * value  the object; NULL = no mask, 1 everywhere
 * mask   [rig->joint_count], the caller's
 * Fails with the place: ERROR_UNKNOWN_JOINT, ERROR_INVALID_VALUE. */
bool mask_read(const struct rig *rig, const struct value *value, float *mask, struct error *err);
