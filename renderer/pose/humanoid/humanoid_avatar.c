// The roles of a VRM avatar: its file says what its bones are.
#include "pose/humanoid/humanoid_internal.h"

/* The bones of the roles from HUMANOID_LEFT_SHOULDER to HUMANOID_LEFT_LITTLE_3. */
static const enum avatar_bone left_bones[HUMANOID_SIDE_ROLES] = {AVATAR_BONE_leftShoulder,
	AVATAR_BONE_leftUpperArm, AVATAR_BONE_leftLowerArm, AVATAR_BONE_leftHand,
	AVATAR_BONE_leftUpperLeg, AVATAR_BONE_leftLowerLeg, AVATAR_BONE_leftFoot,
	AVATAR_BONE_leftToes, AVATAR_BONE_leftThumbMetacarpal, AVATAR_BONE_leftThumbProximal,
	AVATAR_BONE_leftThumbDistal, AVATAR_BONE_leftIndexProximal,
	AVATAR_BONE_leftIndexIntermediate, AVATAR_BONE_leftIndexDistal,
	AVATAR_BONE_leftMiddleProximal, AVATAR_BONE_leftMiddleIntermediate,
	AVATAR_BONE_leftMiddleDistal, AVATAR_BONE_leftRingProximal,
	AVATAR_BONE_leftRingIntermediate, AVATAR_BONE_leftRingDistal,
	AVATAR_BONE_leftLittleProximal, AVATAR_BONE_leftLittleIntermediate,
	AVATAR_BONE_leftLittleDistal};

static const enum avatar_bone right_bones[HUMANOID_SIDE_ROLES] = {AVATAR_BONE_rightShoulder,
	AVATAR_BONE_rightUpperArm, AVATAR_BONE_rightLowerArm, AVATAR_BONE_rightHand,
	AVATAR_BONE_rightUpperLeg, AVATAR_BONE_rightLowerLeg, AVATAR_BONE_rightFoot,
	AVATAR_BONE_rightToes, AVATAR_BONE_rightThumbMetacarpal, AVATAR_BONE_rightThumbProximal,
	AVATAR_BONE_rightThumbDistal, AVATAR_BONE_rightIndexProximal,
	AVATAR_BONE_rightIndexIntermediate, AVATAR_BONE_rightIndexDistal,
	AVATAR_BONE_rightMiddleProximal, AVATAR_BONE_rightMiddleIntermediate,
	AVATAR_BONE_rightMiddleDistal, AVATAR_BONE_rightRingProximal,
	AVATAR_BONE_rightRingIntermediate, AVATAR_BONE_rightRingDistal,
	AVATAR_BONE_rightLittleProximal, AVATAR_BONE_rightLittleIntermediate,
	AVATAR_BONE_rightLittleDistal};

/* True when each bone lies below the nearest one above it in VRM's tree that the avatar has, as
 * roles do. */
static bool is_tree(const struct rig *rig) {
	const int *bones = rig->avatar->bones;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		int above = avatar_bone_parent((enum avatar_bone)i);
		while (above >= 0 && bones[above] < 0) {
			above = avatar_bone_parent((enum avatar_bone)above);
		}
		if (bones[i] >= 0 && above >= 0 && !rig_is_below(rig, bones[i], bones[above])) {
			return false;
		}
	}
	return true;
}

static void assign_side(
	struct humanoid *humanoid, const int *bones, int shift, const enum avatar_bone *side) {
	for (int i = 0; i < HUMANOID_SIDE_ROLES; i++) {
		humanoid->joints[HUMANOID_LEFT_SHOULDER + shift + i] = bones[side[i]];
	}
}

bool humanoid_take_avatar(struct humanoid_search *search) {
	struct humanoid *humanoid = search->humanoid;
	const struct avatar *avatar = search->rig->avatar;
	if (!avatar || avatar->bones[AVATAR_BONE_hips] < 0 || !is_tree(search->rig)) {
		return false;
	}
	const int *bones = avatar->bones;
	const int spine = bones[AVATAR_BONE_spine];
	const int chest = bones[AVATAR_BONE_upperChest] >= 0 ? bones[AVATAR_BONE_upperChest]
		: bones[AVATAR_BONE_chest] >= 0              ? bones[AVATAR_BONE_chest]
							     : spine;
	humanoid->joints[HUMANOID_HIPS] = bones[AVATAR_BONE_hips];
	humanoid->joints[HUMANOID_SPINE] = chest == spine ? -1 : spine;
	humanoid->joints[HUMANOID_CHEST] = chest;
	humanoid->joints[HUMANOID_NECK] = bones[AVATAR_BONE_neck];
	humanoid->joints[HUMANOID_HEAD] = bones[AVATAR_BONE_head];
	assign_side(humanoid, bones, 0, left_bones);
	assign_side(humanoid, bones, HUMANOID_SIDE_ROLES, right_bones);
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		humanoid->found[i] = HUMANOID_BY_NAME;
		humanoid->confidence[i] = humanoid->joints[i] >= 0;
	}
	return true;
}
