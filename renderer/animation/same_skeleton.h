/* Skeletons that can use each other's keys as they are. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* True when the keys of a clip do on another rig what they do on their own: half of the joints that
 * it drives have namesakes there, and every one of these lies below the namesake of its own parent,
 * where it rests as seen from that to 1 % of the longest such distance. The joints that no driven
 * one is above may rest anywhere, but what they hang on must rest as it does on the other rig.
 * Rotations at rest may differ: files of motion alone often rest in their first frame. arena for
 * room on the way; never fails. */
bool same_skeleton(
	const struct rig *from, const struct clip *clip, const struct rig *to, struct arena *arena);

/* [from->joint_count] The joint of the same name of another rig; -1 = none. In the arena. */
const int *find_namesakes(const struct rig *from, const struct rig *to, struct arena *arena);
