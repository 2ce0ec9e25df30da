// The names of VRM's bones and expressions, and what follows from them.
#include "model/avatar.h"

#include <string.h>

#define NAME(name) #name
const char *const avatar_bone_names[AVATAR_BONE_COUNT] = {AVATAR_BONES(NAME)};
const char *const avatar_preset_names[AVATAR_PRESET_COUNT] = {AVATAR_PRESETS(NAME)};
#undef NAME

int avatar_bone_parent(enum avatar_bone bone) {
	switch ((int)bone) {
	case AVATAR_BONE_hips:
		return -1;
	case AVATAR_BONE_spine:
	case AVATAR_BONE_leftUpperLeg:
	case AVATAR_BONE_rightUpperLeg:
		return AVATAR_BONE_hips;
	case AVATAR_BONE_neck:
	case AVATAR_BONE_leftShoulder:
	case AVATAR_BONE_rightShoulder:
		return AVATAR_BONE_upperChest;
	case AVATAR_BONE_leftEye:
	case AVATAR_BONE_rightEye:
	case AVATAR_BONE_jaw:
		return AVATAR_BONE_head;
	case AVATAR_BONE_leftThumbMetacarpal:
	case AVATAR_BONE_leftIndexProximal:
	case AVATAR_BONE_leftMiddleProximal:
	case AVATAR_BONE_leftRingProximal:
	case AVATAR_BONE_leftLittleProximal:
		return AVATAR_BONE_leftHand;
	case AVATAR_BONE_rightThumbMetacarpal:
	case AVATAR_BONE_rightIndexProximal:
	case AVATAR_BONE_rightMiddleProximal:
	case AVATAR_BONE_rightRingProximal:
	case AVATAR_BONE_rightLittleProximal:
		return AVATAR_BONE_rightHand;
	default: // the bone before it in the list
		return (int)bone - 1;
	}
}

int avatar_preset_kind(int preset) {
	switch (preset) {
	case AVATAR_PRESET_blink:
	case AVATAR_PRESET_blinkLeft:
	case AVATAR_PRESET_blinkRight:
		return AVATAR_BLINKS;
	case AVATAR_PRESET_lookUp:
	case AVATAR_PRESET_lookDown:
	case AVATAR_PRESET_lookLeft:
	case AVATAR_PRESET_lookRight:
		return AVATAR_LOOKS;
	case AVATAR_PRESET_aa:
	case AVATAR_PRESET_ih:
	case AVATAR_PRESET_ou:
	case AVATAR_PRESET_ee:
	case AVATAR_PRESET_oh:
		return AVATAR_MOUTHS;
	default:
		return -1;
	}
}

bool avatar_bone_is_required(enum avatar_bone bone) {
	static const bool required[AVATAR_BONE_COUNT] = {
		[AVATAR_BONE_hips] = true,
		[AVATAR_BONE_spine] = true,
		[AVATAR_BONE_head] = true,
		[AVATAR_BONE_leftUpperLeg] = true,
		[AVATAR_BONE_leftLowerLeg] = true,
		[AVATAR_BONE_leftFoot] = true,
		[AVATAR_BONE_rightUpperLeg] = true,
		[AVATAR_BONE_rightLowerLeg] = true,
		[AVATAR_BONE_rightFoot] = true,
		[AVATAR_BONE_leftUpperArm] = true,
		[AVATAR_BONE_leftLowerArm] = true,
		[AVATAR_BONE_leftHand] = true,
		[AVATAR_BONE_rightUpperArm] = true,
		[AVATAR_BONE_rightLowerArm] = true,
		[AVATAR_BONE_rightHand] = true,
	};
	return required[bone];
}

int avatar_find_expression(const struct avatar *avatar, const char *name) {
	for (int i = 0; i < avatar->expression_count; i++) {
		if (strcmp(avatar->expressions[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

const struct avatar_fact *avatar_find_fact(const struct avatar *avatar, const char *key) {
	for (int i = 0; i < avatar->fact_count; i++) {
		if (strcmp(avatar->facts[i].key, key) == 0) {
			return &avatar->facts[i];
		}
	}
	return NULL;
}
