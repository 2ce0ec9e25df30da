// Poses mirrored from left to right.
#include "pose/mirror.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"

/* An orthogonal map of the world: a rotation, times -1 where it is a reflection. -1 commutes with
 * all, so that the two parts multiply on their own. */
struct frame {
	double rotation[4];
	double sign; // 1 or -1
};

static const struct frame world = {{0, 0, 0, 1}, 1};

struct mirror {
	const struct rig *rig;
	const int *partners;
	int axis;
	const struct pose *pose; // the one that is mirrored now
	struct frame *rest;      // [joint_count] the joint's axes at rest, in the world
	struct frame *posed;     // [joint_count] the same in the pose
};

static void half_turn(int axis, double out[static 4]) {
	memset(out, 0, 4 * sizeof *out);
	out[axis] = 1;
}

/* The reflection in the axes along which a joint rests with a negative scale. Its pose has the same
 * one: a sign that changes is a matter of scale. */
static struct frame rest_signs(const struct transform *rest) {
	struct frame signs = world;
	for (int i = 0; i < 3; i++) {
		if (rest->scale[i] < 0) {
			double turn[4];
			half_turn(i, turn);
			quat_multiply(signs.rotation, turn, signs.rotation);
			signs.sign = -signs.sign;
		}
	}
	return signs;
}

static void multiply(const struct frame *a, const struct frame *b, struct frame *out) {
	quat_multiply(a->rotation, b->rotation, out->rotation);
	out->sign = a->sign * b->sign;
}

static void place(
	const struct rig *rig, const struct transform *local, int joint, struct frame *frames) {
	const int parent = rig->joints[joint].parent;
	const struct frame signs = rest_signs(&rig->joints[joint].rest);
	struct frame own = world;
	for (int i = 0; i < 4; i++) {
		own.rotation[i] = local->rotation[i];
	}
	quat_normalize(own.rotation);
	multiply(&own, &signs, &own);
	multiply(parent < 0 ? &world : &frames[parent], &own, &frames[joint]);
}

static const struct frame *frame_of(const struct frame *frames, int joint) {
	return joint < 0 ? &world : &frames[joint];
}

/* The world rotation of a mirrored joint: M W W_rest^-1 M W_joint,rest, W those of its partner. */
static void mirrored_rotation(const struct mirror *mirror, int joint, double out[static 4]) {
	if (joint < 0) {
		memcpy(out, world.rotation, sizeof world.rotation);
		return;
	}
	const int from = mirror->partners[joint];
	double turn[4];
	quat_conjugate(mirror->rest[from].rotation, turn);
	quat_multiply(mirror->posed[from].rotation, turn, turn);
	for (int i = 0; i < 3; i++) {
		turn[i] = i == mirror->axis ? turn[i] : -turn[i];
	}
	quat_multiply(turn, mirror->rest[joint].rotation, out);
}

static bool same(const float *a, const float *b, int count) {
	return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* True when the joint stands to its parent as its partner stands to the partner's, so that one
 * local rotation is the other one mirrored. */
static bool is_parallel(const struct mirror *mirror, int joint) {
	const int parent = mirror->rig->joints[joint].parent;
	const int other = mirror->rig->joints[mirror->partners[joint]].parent;
	return parent < 0 || other < 0 ? parent == other : mirror->partners[parent] == other;
}

static void mirror_rotation(const struct mirror *mirror, int joint, float *out) {
	const struct rig *rig = mirror->rig;
	const int from = mirror->partners[joint];
	const struct transform *rest = &rig->joints[joint].rest;
	if (is_parallel(mirror, joint) &&
		same(mirror->pose->local[from].rotation, rig->joints[from].rest.rotation, 4)) {
		memcpy(out, rest->rotation, sizeof rest->rotation);
		return;
	}
	double parent[4], q[4];
	mirrored_rotation(mirror, rig->joints[joint].parent, parent);
	mirrored_rotation(mirror, joint, q);
	quat_conjugate(parent, parent);
	quat_multiply(parent, q, q);
	double signs[4];
	const struct frame rest_sign = rest_signs(rest);
	quat_conjugate(rest_sign.rotation, signs);
	quat_multiply(q, signs, q);
	quat_normalize(q);
	// Of the two quaternions of one rotation the one that begins where the joint rests.
	double dot = 0;
	for (int i = 0; i < 4; i++) {
		dot += q[i] * rest->rotation[i];
	}
	for (int i = 0; i < 4; i++) {
		out[i] = (float)(dot < 0 ? -q[i] : q[i]);
	}
}

/* The map of directions in the axes of one resting joint (-1 is the world) to those of another,
 * mirrored: F_to^-1 M F_from. */
static struct frame rest_to_rest(const struct mirror *mirror, int from, int to) {
	struct frame map, reflection = {.sign = -1};
	half_turn(mirror->axis, reflection.rotation);
	multiply(&reflection, frame_of(mirror->rest, from), &map);
	struct frame inverse = *frame_of(mirror->rest, to);
	quat_conjugate(inverse.rotation, inverse.rotation);
	multiply(&inverse, &map, &map);
	return map;
}

static void mirror_translation(const struct mirror *mirror, int joint, float *out) {
	const struct joint *joints = mirror->rig->joints;
	const int from = mirror->partners[joint];
	const float *posed = mirror->pose->local[from].translation;
	const float *rest = joints[from].rest.translation;
	memcpy(out, joints[joint].rest.translation, 3 * sizeof *out);
	if (same(posed, rest, 3)) {
		return;
	}
	const struct frame map = rest_to_rest(mirror, joints[from].parent, joints[joint].parent);
	double moved[3];
	for (int i = 0; i < 3; i++) {
		moved[i] = map.sign * ((double)posed[i] - rest[i]);
	}
	quat_rotate(map.rotation, moved, moved);
	for (int i = 0; i < 3; i++) {
		out[i] = (float)(out[i] + moved[i]);
	}
}

/* The assignment of one frame's axes to those of the other that keeps most of the map. A joint that
 * is its own partner may only swap two axes, so that mirroring twice gives the original. */
static void match_axes(const struct frame *map, bool own, int order[static 3]) {
	static const int orders[][3] = {
		{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};
	double columns[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int i = 0; i < 3; i++) {
		quat_rotate(map->rotation, columns[i], columns[i]);
	}
	double best = -1;
	for (int i = 0; i < (own ? 4 : 6); i++) {
		double kept = 0;
		for (int k = 0; k < 3; k++) {
			kept += columns[k][orders[i][k]] * columns[k][orders[i][k]];
		}
		if (kept > best + 1e-9) {
			best = kept;
			memcpy(order, orders[i], sizeof orders[i]);
		}
	}
}

static void mirror_scale(const struct mirror *mirror, int joint, float *out) {
	const struct joint *joints = mirror->rig->joints;
	const int from = mirror->partners[joint];
	const float *posed = mirror->pose->local[from].scale, *rest = joints[from].rest.scale;
	memcpy(out, joints[joint].rest.scale, 3 * sizeof *out);
	if (same(posed, rest, 3)) {
		return;
	}
	// Both partners take the order from the first of them, one as it is and one turned round.
	const int first = from < joint ? from : joint;
	const struct frame map = rest_to_rest(mirror, first, mirror->partners[first]);
	int order[3] = {0, 1, 2};
	match_axes(&map, from == joint, order);
	for (int i = 0; i < 3; i++) {
		const int to = from == first ? order[i] : i;
		const int k = from == first ? i : order[i];
		const bool has_ratio = rest[k] != 0 && out[to] != 0;
		out[to] = (float)(has_ratio ? (double)out[to] * posed[k] / rest[k]
					    : (double)out[to] + posed[k] - rest[k]);
	}
}

static bool is_finite(const struct transform *local) {
	for (int i = 0; i < 3; i++) {
		if (!isfinite(local->translation[i]) || !isfinite(local->scale[i])) {
			return false;
		}
	}
	return true;
}

/* The partner's channels, and the rotation also where it is not at rest for the parents' sake. */
static unsigned char driven_bits(const struct mirror *mirror, int joint, const float *rotation) {
	const unsigned own = mirror->pose->driven[joint] & 1 << CHANNEL_WEIGHTS;
	const unsigned other = mirror->pose->driven[mirror->partners[joint]] & DRIVEN_ALL &
		~(1 << CHANNEL_WEIGHTS);
	const bool turned = !same(rotation, mirror->rig->joints[joint].rest.rotation, 4);
	return (unsigned char)(own | other | (turned ? 1u << CHANNEL_ROTATION : 0));
}

static void mirror_root(
	const struct mirror *mirror, const struct pose_root *root, struct pose_root *out) {
	*out = *root;
	if (root->carried) {
		out->joint = mirror->partners[root->joint];
		out->motion.translation[mirror->axis] = -root->motion.translation[mirror->axis];
		out->motion.yaw_rad =
			mirror->axis == 1 ? root->motion.yaw_rad : -root->motion.yaw_rad;
	}
}

struct mirror *mirror_make(
	const struct rig *rig, const int *partners, int axis, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	struct mirror *mirror = arena_alloc(arena, 1, sizeof *mirror);
	*mirror = (struct mirror){
		.rig = rig,
		.partners = partners,
		.axis = axis,
		.rest = arena_alloc(arena, count, sizeof *mirror->rest),
		.posed = arena_alloc(arena, count, sizeof *mirror->posed),
	};
	for (int i = 0; i < rig->joint_count; i++) {
		place(rig, &rig->joints[i].rest, i, mirror->rest);
	}
	return mirror;
}

bool mirror_pose(struct mirror *mirror, const struct pose *pose, struct pose *out, int *joint) {
	mirror->pose = pose;
	for (int i = 0; i < pose->joint_count; i++) {
		place(mirror->rig, &pose->local[i], i, mirror->posed);
	}
	for (int i = 0; i < pose->joint_count; i++) {
		struct transform *local = &out->local[i];
		mirror_rotation(mirror, i, local->rotation);
		mirror_translation(mirror, i, local->translation);
		mirror_scale(mirror, i, local->scale);
		out->driven[i] = driven_bits(mirror, i, local->rotation);
		if (!is_finite(local)) {
			*joint = i;
			return false;
		}
	}
	mirror_root(mirror, &pose->root, &out->root);
	memcpy(out->weights, pose->weights, (size_t)pose->weight_count * sizeof *out->weights);
	return true;
}
