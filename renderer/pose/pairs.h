/* Joints of the left and of the right side of a rig, told by their names. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* Pairs joints whose names differ in one mark of the side alone: "left" and "right" in lower case,
 * upper case or with a capital, anywhere; the letters l and r in either case, between whatever is
 * no letter ("hand_l", "Arm.L", "Bip01 L Thigh", "L_Foot"); L and R at the end after a lower-case
 * letter ("HandL"); l and r at the beginning before a capital ("lHand"). A name is tried with these
 * in that order, from its beginning on.
 *
 * partners  [joint_count] what is -1 on entry is filled: with the joint of the other side or, where
 *           there is none, the joint itself
 * arena     for room on the way
 * Never fails. */
void pairs_by_name(const struct rig *rig, int *partners, struct arena *arena);
