// One pose over another.
#include "pose/blend/over.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "pose/blend/model_rotation.h"

/* A joint's rotations in the model's space. */
struct turns {
	double below[4], pose[4]; // as they are in the two poses
	double after[4];
};

static double weight_at(const struct over *over, int joint) {
	return over->mask ? over->weight * (double)over->mask[joint] : over->weight;
}

static void average_locals(const struct rig *rig, const struct over *over, struct pose *out) {
	float *shares = xcalloc((size_t)rig->joint_count * 2, sizeof *shares);
	float *rests = shares + rig->joint_count;
	for (int i = 0; i < rig->joint_count; i++) {
		const double weight = weight_at(over, i);
		shares[i] = (float)weight;
		rests[i] = (float)(1 - weight);
	}
	const struct average_input inputs[2] = {
		{.weight = 1, .pose = out, .mask = rests, .whole = true},
		{.weight = 1, .pose = over->pose, .mask = shares},
	};
	average_poses(rig, inputs, 2, over->rotation, out);
	free(shares);
}

/* Before the locals are averaged. */
static struct turns *find_turns(
	const struct rig *rig, const struct over *over, const struct pose *out) {
	struct turns *turns = xcalloc((size_t)rig->joint_count, sizeof *turns);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		const struct turns *above = parent < 0 ? NULL : &turns[parent];
		double local[4];
		model_rotation_local(out, i, local);
		model_rotation_below(above ? above->below : NULL, local, turns[i].below);
		model_rotation_local(over->pose, i, local);
		model_rotation_below(above ? above->pose : NULL, local, turns[i].pose);
	}
	return turns;
}

static void turn_joint(const struct over *over, int joint, const struct turns *above,
	struct turns *here, struct pose *out) {
	const double weight = weight_at(over, joint);
	const bool driven = (over->pose->driven[joint] >> CHANNEL_ROTATION & 1) != 0;
	double local[4];
	if (!(weight > 0) || !driven) {
		model_rotation_local(out, joint, local);
		model_rotation_below(above ? above->after : NULL, local, here->after);
		return;
	}
	double both[2][4];
	memcpy(both[0], here->below, sizeof both[0]);
	memcpy(both[1], here->pose, sizeof both[1]);
	const double weights[2] = {1 - weight, weight};
	const int first = weight < 1 ? 0 : 1;
	average_rotations(over->rotation, (const double(*)[4])both + first, weights + first,
		2 - first, here->after);
	model_rotation_write(above ? above->after : NULL, here->after, joint, out);
}

void over_put(const struct rig *rig, const struct over *over, struct pose *out) {
	struct turns *turns = over->in_model ? find_turns(rig, over, out) : NULL;
	average_locals(rig, over, out);
	for (int i = 0; over->in_model && i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		turn_joint(over, i, parent < 0 ? NULL : &turns[parent], &turns[i], out);
	}
	free(turns);
}
