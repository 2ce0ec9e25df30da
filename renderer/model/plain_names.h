/* Joints' names without what exporters add to them. Any thread. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* The names without the number that some exporters add to each of a file's nodes, so that two sides
 * and two versions have the same: "b_LeftLeg01_015" is "b_LeftLeg01". A number is a part of the
 * name unless every joint of a skin, but for its roots, has one, and the shorter names are still
 * all different.
 *
 * Returns [joint_count] names, borrowed from the rig or in the arena. Never fails. */
const char **plain_names_of(const struct rig *rig, struct arena *arena);
