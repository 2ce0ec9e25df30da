/* Clips and joints by what a request calls them: a name, or the index in the file. */
#pragma once

#include "base/arena.h"
#include "base/value.h"
#include "model/rig.h"

/* The clip that a value names: a string is a clip's name (or, if no clip has that name, its index
 * in decimal, as in a URL), a number its index. NULL with ERROR_UNKNOWN_CLIP, the list of clips and
 * the nearest names, or ERROR_INVALID_VALUE. */
const struct clip *pose_find_clip(
	const struct rig *rig, const struct value *value, struct error *err);

/* Adds what there is to an error about a clip that is not there: the list of clips, and those that
 * are nearest to what was asked for by spelling and by meaning. asked may be NULL: it was a number.
 */
void pose_suggest_clips(const struct rig *rig, const char *requested, struct error *err);

/* Adds the nearest names to an error about a joint that is not there. */
void pose_suggest_joints(const struct rig *rig, const char *requested, struct error *err);

/* Position in rig->joints of the joint that a member's key names: its name or, if no joint has that
 * name, its index in decimal. -1 with ERROR_UNKNOWN_JOINT and the nearest names, or with
 * ERROR_INVALID_VALUE where another member of the same object names the joint too. */
int pose_find_joint(const struct rig *rig, const struct value *member, struct error *err);

/* The same for a value: a string as above, or a number, its index in the file. -1 with
 * ERROR_UNKNOWN_JOINT and the nearest names, or with ERROR_INVALID_VALUE for other values. */
int pose_read_joint(const struct rig *rig, const struct value *value, struct error *err);

/* Pairs joints whose names differ in one mark of the side alone: "left" and "right" in lower case,
 * upper case or with a capital, anywhere; the letters l and r in either case, between whatever is
 * no letter ("hand_l", "Arm.L", "Bip01 L Thigh", "L_Foot"); L and R at the end after a lower-case
 * letter ("HandL"); l and r at the beginning before a capital ("lHand"). A name is tried with these
 * in that order, from its beginning on. Numbers of exporters do not count (plain_names.h).
 *
 * partners  [joint_count] what is -1 on entry is filled: with the joint of the other side or, where
 *           there is none, the joint itself
 * arena     for room on the way
 * Never fails. */
void pairs_by_name(const struct rig *rig, int *partners, struct arena *arena);
