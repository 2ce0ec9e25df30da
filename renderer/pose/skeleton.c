// The joints of a rig that make up its skeleton.
#include "pose/pose.h"

void skeleton_mark_skinned(const struct rig *rig, bool *skinned) {
	bool any = false;
	for (int i = 0; i < rig->joint_count; i++) {
		skinned[i] = rig->joints[i].in_skin;
		any |= skinned[i];
	}
	for (int i = 0; !any && i < rig->joint_count; i++) {
		skinned[i] = true;
	}
}
