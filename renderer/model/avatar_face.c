// An avatar's face among the weights of its head.
#include "model/avatar_face.h"

#include <string.h>

int avatar_face_width(const struct avatar *avatar) {
	return 2 * avatar->expression_count + 3;
}

struct avatar_face avatar_face_of(const struct avatar *avatar, float *numbers) {
	const size_t count = (size_t)avatar->expression_count;
	return (struct avatar_face){numbers, numbers + count, numbers + 2 * count};
}

static bool morphs(const struct rig *rig, int joint) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].joint == joint && rig->primitives[i].target_count > 0) {
			return true;
		}
	}
	return false;
}

int rig_face_joint(const struct rig *rig) {
	const int head = rig->avatar ? rig->avatar->bones[AVATAR_BONE_head] : -1;
	return head >= 0 && rig->joints[head].weight_count == avatar_face_width(rig->avatar) &&
			!morphs(rig, head)
		? head
		: -1;
}

bool rig_add_face(struct rig *rig, struct error *err) {
	const int head = rig->avatar ? rig->avatar->bones[AVATAR_BONE_head] : -1;
	if (head < 0 || rig->joints[head].weight_count > 0) {
		return true;
	}
	const size_t before = (size_t)rig->weight_count;
	const int width = avatar_face_width(rig->avatar);
	float *weights = rig_storage(
		rig, before + (size_t)width, sizeof *weights, "weights of expressions", err);
	if (!weights) {
		return false;
	}
	if (before > 0) {
		memcpy(weights, rig->rest_weights, before * sizeof *weights);
	}
	rig->rest_weights = weights;
	rig->joints[head].first_weight = rig->weight_count;
	rig->joints[head].weight_count = width;
	rig->weight_count += width;
	return true;
}
