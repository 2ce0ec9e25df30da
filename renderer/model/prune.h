/* Joints that a rig can do without. METHODS E1; fourth seed, 4.2. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* Tells for each joint whether it is needless: no vertex, camera or light is at it or below it, and
 * no channel of a clip of the rig drives it or one below it. Needless are, besides, the roots that
 * would leave everything where it is: at rest at the identity, which nothing drives or hangs on but
 * one joint.
 *
 * clip  counts like one of the rig's; NULL = none
 * Returns [joint_count] in the arena. */
const bool *prune_find_needless(
	const struct rig *rig, const struct clip *clip, struct arena *arena);

/* Marks the joints that something is at, or that a clip of the rig drives, or the one given; not
 * those above them. used is [joint_count]; what is true stays. */
void prune_mark_used(const struct rig *rig, const struct clip *clip, bool *used);

/* The same as prune_find_needless() for joints that are used, [joint_count], as the caller says. */
const bool *prune_find_unused(const struct rig *rig, const bool *used, struct arena *arena);

/* A variant of the rig (rig_create_variant) without the joints that are needless to it and to the
 * clip, and without clips; the clip on that rig, whose channels are in the arena. World matrices of
 * the joints that are left are the same to the bit. NULL with ERROR_TOO_LARGE. */
struct rig *prune_rig(const struct rig *rig, const struct clip *clip, struct clip *pruned,
	struct arena *arena, struct error *err);

/* Takes the slots that move no vertex out of a filled rig, and renumbers the others: what methods
 * find out about a skin's bones and its unit then depends on joints that move vertices alone. Files
 * list many others: a control rig's, the ends of fingers. A primitive without vertices keeps one
 * slot, since each has one.
 *
 * rig  nobody else has it yet; its influences name slots of their primitive */
void rig_drop_unused_slots(struct rig *rig);
