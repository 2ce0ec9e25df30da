// Putting a pose of another rig on ours.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "pose/retarget/retarget_internal.h"

#define MOVES (1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION | 1 << CHANNEL_SCALE)

/* One joint of ours with a partner. */
struct part {
	const struct retarget_joint *joint;
	int ours, theirs;
	const struct transform *rest;
	const struct transform *their_local, *their_rest;
	unsigned rotating, moving; // whether anything that it follows is driven
	struct transform *local;   // ours
};

/* The source of one of their joints, with all joints above it that are folded into it. */
static void look_up(
	const struct retarget *retarget, const struct pose *theirs, bool held, struct part *part) {
	const struct rig *rig = retarget->map->theirs;
	unsigned folded = 0;
	for (int i = rig->joints[part->theirs].parent; i != part->joint->their_above;
		i = rig->joints[i].parent) {
		folded |= theirs->driven[i];
	}
	for (int i = part->joint->twin ? -1 : part->joint->aim; i >= 0; i = rig->joints[i].parent) {
		folded |= theirs->driven[i] & MOVES ? 1 << CHANNEL_ROTATION : 0;
	}
	const unsigned own = theirs->driven[part->theirs];
	part->rotating = held || part->joint->turned || (own | folded) & 1 << CHANNEL_ROTATION;
	part->moving = held || own & 1 << CHANNEL_TRANSLATION || folded & MOVES;
}

static void copy_rotation(const double q[static 4], const float *near, float *out) {
	double dot = 0;
	for (int k = 0; k < 4; k++) {
		dot += q[k] * near[k];
	}
	for (int k = 0; k < 4; k++) {
		out[k] = (float)(dot < 0 ? -q[k] : q[k]);
	}
}

/* The local rotation that gives a joint one in the world. */
static void localize(const double world[static 4], const double *parent,
	const struct transform *rest, struct transform *local) {
	double signs[4], rotation[4];
	retarget_signs(local, signs);
	quat_conjugate(signs, signs);
	quat_multiply(world, signs, rotation);
	if (parent) {
		double inverse[4];
		quat_conjugate(parent, inverse);
		quat_multiply(inverse, rotation, rotation);
	}
	quat_normalize(rotation);
	copy_rotation(rotation, rest->rotation, local->rotation);
}

/* Gives the joint its partner's rotation in the world, times the offset. */
static void rotate(const struct retarget *retarget, const struct part *part, const double *parent,
	double world[static 4]) {
	memcpy(world, retarget->their_rotations[part->theirs], 4 * sizeof *world);
	if (part->joint->aim >= 0 && !part->joint->twin) {
		retarget_aim(retarget, part->ours, world);
	}
	quat_multiply(retarget->turn, world, world);
	quat_multiply(world, part->joint->offset, world);
	localize(world, parent, part->rest, part->local);
	quat_normalize(world);
}

/* Scales by the factors that the partner has to its rest, each along the axes of ours that are
 * nearest to its own. */
static void scale(const struct part *part) {
	static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double factors[3];
	for (int k = 0; k < 3; k++) {
		const double rest = part->their_rest->scale[k];
		factors[k] = rest != 0 ? part->their_local->scale[k] / rest : 1;
	}
	for (int k = 0; k < 3; k++) {
		double axis[3], factor = 0;
		quat_rotate(part->joint->offset, unit[k], axis);
		for (int i = 0; i < 3; i++) {
			factor += axis[i] * axis[i] * factors[i];
		}
		part->local->scale[k] = (float)(part->rest->scale[k] * factor);
	}
}

/* Moves by how far the partner is from where it would be if it rested on the joint above. */
static void move(const struct retarget *retarget, const struct part *part, const double *parent) {
	const double *world = retarget->their_world[part->theirs];
	double moved[3] = {world[3], world[7], world[11]}, there[3];
	memcpy(there, part->joint->socket, sizeof there);
	if (part->joint->their_above >= 0) {
		mat_map_point(retarget->their_world[part->joint->their_above], there, there);
	}
	for (int k = 0; k < 3; k++) {
		moved[k] = (moved[k] - there[k]) * retarget->scale;
	}
	quat_rotate(retarget->turn, moved, moved);
	if (parent) {
		double inverse[12];
		if (!mat_invert(parent, inverse)) {
			return; // nothing moves what is scaled to nothing
		}
		mat_map_direction(inverse, moved, moved);
	}
	for (int k = 0; k < 3; k++) {
		part->local->translation[k] = (float)(part->rest->translation[k] + moved[k]);
	}
}

/* True when anything at or above one of our joints is driven. */
static bool is_driven(const struct retarget *retarget, int joint, const struct pose *out) {
	unsigned driven = 0;
	for (int i = joint; i >= 0; i = retarget->map->ours->joints[i].parent) {
		driven |= out->driven[i];
	}
	return driven & MOVES;
}

/* A hand or foot apart without a partner goes along with its limb. */
static void carry_rigidly(struct retarget *retarget, int i, struct pose *out) {
	const int carrier = retarget->joints[i].carrier;
	const int parent = retarget->map->ours->joints[i].parent;
	double *world = retarget->our_rotations[i];
	if (!is_driven(retarget, carrier, out)) {
		return;
	}
	quat_multiply(retarget->our_rotations[carrier], retarget->joints[i].bearing, world);
	localize(world, parent >= 0 ? retarget->our_rotations[parent] : NULL,
		&retarget->map->ours->joints[i].rest, &out->local[i]);
	quat_normalize(world);
	retarget_carry(retarget, i, &out->local[i]);
	out->driven[i] |= 1 << CHANNEL_ROTATION | 1 << CHANNEL_TRANSLATION;
}

static void put(const struct retarget *retarget, const struct part *part, const struct pose *theirs,
	struct pose *out) {
	const int parent = retarget->map->ours->joints[part->ours].parent;
	const double *above = parent >= 0 ? retarget->our_rotations[parent] : NULL;
	unsigned driven = 0;
	if (theirs->driven[part->theirs] >> CHANNEL_SCALE & 1) {
		driven |= 1 << CHANNEL_SCALE;
		scale(part);
	}
	if (part->rotating) {
		driven |= 1 << CHANNEL_ROTATION;
		rotate(retarget, part, above, retarget->our_rotations[part->ours]);
	} else {
		retarget_rotation(above, part->local, retarget->our_rotations[part->ours]);
	}
	if (part->joint->carrier >= 0) {
		const bool limb =
			!part->joint->twin && is_driven(retarget, part->joint->carrier, out);
		if (limb || part->moving) {
			driven |= 1 << CHANNEL_TRANSLATION;
			retarget_carry(retarget, part->ours, part->local);
		}
	} else if (part->moving && part->joint->moves) {
		driven |= 1 << CHANNEL_TRANSLATION;
		move(retarget, part, parent >= 0 ? retarget->our_world[parent] : NULL);
	}
	out->driven[part->ours] = (unsigned char)driven;
}

/* Values that both have are copied from the partner. */
static void copy_twin(const struct retarget *retarget, const struct part *part, struct pose *out) {
	const int parent = retarget->map->ours->joints[part->ours].parent;
	struct transform *local = part->local;
	if (out->driven[part->ours] >> CHANNEL_ROTATION & 1) {
		memcpy(local->rotation, part->their_local->rotation, sizeof local->rotation);
	}
	if (out->driven[part->ours] >> CHANNEL_SCALE & 1) {
		memcpy(local->scale, part->their_local->scale, sizeof local->scale);
	}
	if (out->driven[part->ours] >> CHANNEL_TRANSLATION & 1 && retarget->scale == 1) {
		memcpy(local->translation, part->their_local->translation,
			sizeof local->translation);
	}
	retarget_rotation(parent >= 0 ? retarget->our_rotations[parent] : NULL, local,
		retarget->our_rotations[part->ours]);
}

static void copy_weights(
	const struct joint_map *map, const struct pose *theirs, int joint, struct pose *out) {
	int ours, others;
	float *to = pose_channel(map->ours, out, joint, CHANNEL_WEIGHTS, &ours);
	const float *from =
		pose_channel(map->theirs, theirs, map->partner[joint], CHANNEL_WEIGHTS, &others);
	const bool driven = theirs->driven[map->partner[joint]] >> CHANNEL_WEIGHTS & 1;
	if (driven && ours == others && ours > 0) {
		memcpy(to, from, (size_t)ours * sizeof *to);
		out->driven[joint] |= 1 << CHANNEL_WEIGHTS;
	}
}

static void rest_weights(const struct rig *rig, int joint, struct pose *out) {
	int count;
	float *weights = pose_channel(rig, out, joint, CHANNEL_WEIGHTS, &count);
	if (count > 0) {
		memcpy(weights, rig->rest_weights + rig->joints[joint].first_weight,
			(size_t)count * sizeof *weights);
	}
}

static void put_joint(
	struct retarget *retarget, const struct pose *theirs, bool held, int i, struct pose *out) {
	const struct joint_map *map = retarget->map;
	struct part part = {
		.joint = &retarget->joints[i],
		.ours = i,
		.theirs = map->partner[i],
		.rest = &map->ours->joints[i].rest,
		.their_local = &theirs->local[map->partner[i]],
		.their_rest = &map->theirs->joints[map->partner[i]].rest,
		.local = &out->local[i],
	};
	out->local[i] = *part.rest;
	rest_weights(map->ours, i, out);
	look_up(retarget, theirs, held, &part);
	put(retarget, &part, theirs, out);
	if (part.joint->twin) {
		copy_twin(retarget, &part, out);
	}
	copy_weights(map, theirs, i, out);
}

static bool is_finite(const struct transform *local, const double world[static 12]) {
	bool finite = true;
	for (int k = 0; k < 4; k++) {
		finite = finite && isfinite(local->rotation[k]);
	}
	for (int k = 0; k < 3; k++) {
		finite = finite && isfinite(local->translation[k]) && isfinite(local->scale[k]);
	}
	for (int k = 0; k < 12; k++) {
		finite = finite && isfinite(world[k]);
	}
	return finite;
}

bool retarget_pose(struct retarget *retarget, const struct pose *theirs, bool held,
	struct pose *out, int *joint) {
	const struct rig *ours = retarget->map->ours, *other = retarget->map->theirs;
	pose_to_world(other, theirs, retarget->their_world);
	for (int i = 0; i < other->joint_count; i++) {
		const int parent = other->joints[i].parent;
		retarget_rotation(parent >= 0 ? retarget->their_rotations[parent] : NULL,
			&theirs->local[i], retarget->their_rotations[i]);
	}
	for (int n = 0; n < ours->joint_count; n++) {
		const int i = retarget->order[n], parent = ours->joints[i].parent;
		if (retarget->map->partner[i] >= 0) {
			put_joint(retarget, theirs, held, i, out);
		} else {
			retarget_rotation(parent >= 0 ? retarget->our_rotations[parent] : NULL,
				&out->local[i], retarget->our_rotations[i]);
			if (retarget->joints[i].carrier >= 0 && !held) {
				carry_rigidly(retarget, i, out);
			}
		}
		double *world = retarget->our_world[i];
		const struct transform *local = &out->local[i];
		mat_from_transform(local->translation, local->rotation, local->scale, world);
		if (parent >= 0) {
			mat_multiply(retarget->our_world[parent], world, world);
		}
		if (!is_finite(local, world)) {
			*joint = i;
			return false;
		}
	}
	return true;
}
