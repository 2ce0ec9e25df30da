// Masks: how much say a pose has at each joint.
#include "pose/mask.h"

#include "pose/find.h"

/* Stands for a joint that no member names. */
#define UNNAMED -1.0f

static bool read_member(
	const struct rig *rig, const struct value *member, float *mask, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	if (member->kind != VALUE_NUMBER) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"a mask's value is %s, must be a number from 0 to 1",
			value_kind_name(member->kind));
	}
	if (!(member->number >= 0 && member->number <= 1)) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"a mask's value is %.15g, must be a number from 0 to 1", member->number);
	}
	mask[joint] = (float)member->number;
	return true;
}

static void inherit(const struct rig *rig, float top, float *mask) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (mask[i] == UNNAMED) {
			const int parent = rig->joints[i].parent;
			mask[i] = parent < 0 ? top : mask[parent];
		}
	}
}

bool mask_read(const struct rig *rig, const struct value *value, float *mask, struct error *err) {
	for (int i = 0; i < rig->joint_count; i++) {
		mask[i] = UNNAMED;
	}
	if (value && value->kind != VALUE_OBJECT) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"mask\" is %s, must be an object of joints with numbers from 0 to 1",
			value_kind_name(value->kind));
	}
	bool only_zeros = true;
	for (size_t i = 0; value && i < value->count; i++) {
		if (!read_member(rig, &value->items[i], mask, err)) {
			return false;
		}
		only_zeros = only_zeros && value->items[i].number == 0;
	}
	inherit(rig, only_zeros ? 1 : 0, mask);
	return true;
}
