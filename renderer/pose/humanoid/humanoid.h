/* The joints of a rig that are a human's hips, spine, arms and legs: by the names that the common
 * conventions have (Mixamo, VRM and VRoid, Unreal, Rigify, Biped, Daz, CMU's BVH and its kin), and
 * where names are silent by the place in the hierarchy. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "model/rig.h"

/* The left side's roles and then the right side's, in the same order. */
enum humanoid_role {
	HUMANOID_HIPS,  // the joint that legs and spine hang from
	HUMANOID_SPINE, // the first above the hips; -1 where there is but the chest
	HUMANOID_CHEST, // what the arms hang from, and the last of the spine
	HUMANOID_NECK,  // the first of the neck
	HUMANOID_HEAD,
	HUMANOID_LEFT_SHOULDER, // the collar bone
	HUMANOID_LEFT_UPPER_ARM,
	HUMANOID_LEFT_LOWER_ARM,
	HUMANOID_LEFT_HAND,
	HUMANOID_LEFT_UPPER_LEG,
	HUMANOID_LEFT_LOWER_LEG,
	HUMANOID_LEFT_FOOT, // the ankle
	HUMANOID_LEFT_TOES, // the ball of the foot
	HUMANOID_LEFT_THUMB_1,
	HUMANOID_LEFT_THUMB_2,
	HUMANOID_LEFT_THUMB_3,
	HUMANOID_LEFT_INDEX_1,
	HUMANOID_LEFT_INDEX_2,
	HUMANOID_LEFT_INDEX_3,
	HUMANOID_LEFT_MIDDLE_1,
	HUMANOID_LEFT_MIDDLE_2,
	HUMANOID_LEFT_MIDDLE_3,
	HUMANOID_LEFT_RING_1,
	HUMANOID_LEFT_RING_2,
	HUMANOID_LEFT_RING_3,
	HUMANOID_LEFT_LITTLE_1,
	HUMANOID_LEFT_LITTLE_2,
	HUMANOID_LEFT_LITTLE_3,
	HUMANOID_RIGHT_SHOULDER,
	HUMANOID_RIGHT_UPPER_ARM,
	HUMANOID_RIGHT_LOWER_ARM,
	HUMANOID_RIGHT_HAND,
	HUMANOID_RIGHT_UPPER_LEG,
	HUMANOID_RIGHT_LOWER_LEG,
	HUMANOID_RIGHT_FOOT,
	HUMANOID_RIGHT_TOES,
	HUMANOID_RIGHT_THUMB_1,
	HUMANOID_RIGHT_THUMB_2,
	HUMANOID_RIGHT_THUMB_3,
	HUMANOID_RIGHT_INDEX_1,
	HUMANOID_RIGHT_INDEX_2,
	HUMANOID_RIGHT_INDEX_3,
	HUMANOID_RIGHT_MIDDLE_1,
	HUMANOID_RIGHT_MIDDLE_2,
	HUMANOID_RIGHT_MIDDLE_3,
	HUMANOID_RIGHT_RING_1,
	HUMANOID_RIGHT_RING_2,
	HUMANOID_RIGHT_RING_3,
	HUMANOID_RIGHT_LITTLE_1,
	HUMANOID_RIGHT_LITTLE_2,
	HUMANOID_RIGHT_LITTLE_3,
	HUMANOID_ROLE_COUNT,
};

/* From a role of the left side to the same of the right side. */
#define HUMANOID_SIDE_ROLES (HUMANOID_RIGHT_SHOULDER - HUMANOID_LEFT_SHOULDER)

enum humanoid_found {
	HUMANOID_ABSENT,
	HUMANOID_BY_NAME,  // or by what a VRM file says
	HUMANOID_BY_PLACE, // in the hierarchy, between or after joints that have names
	HUMANOID_BY_SHAPE, // of the rest pose, whatever the names
};

struct humanoid {
	int joints[HUMANOID_ROLE_COUNT]; // positions in rig->joints; -1 = none has this role
	enum humanoid_found found[HUMANOID_ROLE_COUNT];
	double confidence[HUMANOID_ROLE_COUNT]; // [0, 1] that the joint is what it was found to be
	bool apart[HUMANOID_ROLE_COUNT];        // a hand or foot that does not lie below its limb
	/* Of the angle at rest between the thighs and the way from there to the arms: about -1 of
	 * who stands, 0 of an animal on four legs; 1 = not known. */
	double posture_cosine;
};

/* Finds the joints: those that a VRM file names, or by what follows. No joint has two roles, and
 * each lies below those that carry it: a hand below its lower arm, an upper arm below the chest,
 * where there is one. Only hands and feet that are brought to their places by inverse kinematics
 * may lie elsewhere (apart). Left and right are what names call so; where they do not, toes, knees
 * or, as glTF has it, +Z tell where the front is. Limbs that names do not tell are found by the
 * shape of an upright rest pose: two pairs of branches that mirror one another, of which the lower
 * is the legs. Never fails: a rig that is no humanoid has few roles or none, and an animal with
 * four legs has its forelegs as arms. scratch is used on the way. */
void humanoid_find(const struct rig *rig, struct arena *scratch, struct humanoid *humanoid);

/* True when it has hips, and all three joints of both arms and both legs, each below the other. */
bool humanoid_is_whole(const struct humanoid *humanoid);

/* "hips", "left_upper_arm", "right_index_1". */
const char *humanoid_role_name(enum humanoid_role role);
