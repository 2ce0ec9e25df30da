// Which joints of a rig make up its skeleton.
#include "pose/skeleton.h"

void skeleton_mark_skinned(const struct rig *rig, bool *skinned) {
	bool any = false;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int k = 0; primitive->skinned && k < primitive->slot_count; k++) {
			skinned[rig->slots[primitive->first_slot + k].joint] = true;
			any = true;
		}
	}
	for (int i = 0; !any && i < rig->joint_count; i++) {
		skinned[i] = true;
	}
}
