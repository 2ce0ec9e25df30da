/* The pairs of another rig's joints and ours. */
#pragma once

#include "base/value.h"
#include "pose/humanoid/humanoid.h"

enum joint_match {
	JOINT_UNMATCHED,
	JOINT_GIVEN, // by whoever asked
	JOINT_NAME,  // the same name
	JOINT_WORDS, // the same name but for case, separators, prefixes and how sides are told
	JOINT_ROLE,  // the same part of a humanoid
	JOINT_PLACE, // the same place in the hierarchy
	JOINT_BONE,  // the same bone of VRM, as both files say
};

/* "map", "name", "words", "role", "place", "bone". NULL for JOINT_UNMATCHED. */
const char *joint_match_name(enum joint_match match);

struct joint_map {
	const struct rig *ours, *theirs;
	int *partner;            // [ours->joint_count] position in theirs->joints; -1 = none
	enum joint_match *match; // [ours->joint_count]
	int *follower;           // [theirs->joint_count] and back; -1 = none
	double *confidence;      // [ours->joint_count] [0, 1] that the pair is right; 0 = none
	int bound;               // pairs
	/* [0, 1] that theirs can move ours: of humanoids the mean over hips and limbs, of other
	 * rigs over the joints of the smaller skeleton, those without a partner being 0. */
	double whole;
	struct humanoid our_roles, their_roles;
};

enum joint_map_kind {
	JOINT_MAP_AUTO, // by names, roles and places
	JOINT_MAP_NAME, // by names and their words
	JOINT_MAP_COUNT,
};

/* "auto", "name", ended by NULL. */
extern const char *const joint_map_names[JOINT_MAP_COUNT + 1];

/* Below this an automatic map is not worth using: next to nothing has a partner. */
#define JOINT_MAP_MIN 0.1

/* Pairs joints, each at most once. Where half of the joints of the smaller rig have namesakes,
 * those are pairs first and humanoids' roles find the others; otherwise the roles come first, for
 * rigs of different makers give one name to different parts ("LeftLeg" is a shin to most). Then the
 * words of the names, but of no joints that are different parts of a humanoid. Where the rigs are
 * no humanoids, or the names of one do not tell, what is left below pairs, and at the roots, is
 * paired in order if it has the same shape. */
void joint_map_find(enum joint_map_kind kind, const struct rig *ours, const struct rig *theirs,
	struct arena *arena, struct joint_map *map);

/* Pairs the bones of two avatars. Both rigs have one. */
void joint_map_bones(const struct rig *ours, const struct rig *theirs, struct arena *arena,
	struct joint_map *map);

/* True for a VRM animation and an avatar that it can be played on, bone by bone. */
bool joint_map_is_played(const struct rig *ours, const struct rig *theirs);

/* True for a VRM animation without a body, and an avatar whose face it may move. */
bool joint_map_is_of_face(const struct rig *ours, const struct rig *theirs);

/* Pairs joints as an object says: {"Theirs": "Ours", ...}. Fails with the place:
 * ERROR_UNKNOWN_JOINT, ERROR_INVALID_VALUE where one of ours has two. */
bool joint_map_read(const struct value *object, const struct rig *ours, const struct rig *theirs,
	struct arena *arena, struct joint_map *map, struct error *err);

/* Makes a pair, unless one of the two is -1 or has a partner. */
void joint_map_bind(struct joint_map *map, int ours, int theirs, enum joint_match match);

/* Pairs joints that have no partner below those that have, and at the roots: as many as they are on
 * both sides, in order, where what hangs below them has the same shape, or only children. */
void joint_map_bind_places(struct joint_map *map, struct arena *arena);

/* True when both hierarchies have the same shape, children in the same order. */
bool joint_map_same_shape(const struct rig *ours, const struct rig *theirs, struct arena *arena);
