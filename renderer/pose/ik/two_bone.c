// Two bones to a target.
#include "pose/ik/two_bone.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"

/* Rounds until bones under uneven scales are taken for what they are. */
#define ROUNDS 64

/* Sines below which two bones count as one line. */
#define STRAIGHT 1e-7

double two_bone_soften(double distance, double length, double soft) {
	const double begin = soft * length, room = length - begin;
	if (!(distance > begin) || !(room > 0)) {
		return distance;
	}
	return begin + room * (1 - decay_exp((distance - begin) / room));
}

/* Takes what is along a unit vector out of another, and returns whether anything is left of it. */
static bool across(const double axis[static 3], double v[static 3]) {
	const double length = vec3_length(v), along = vec3_dot(axis, v);
	for (int i = 0; i < 3; i++) {
		v[i] -= along * axis[i];
	}
	return vec3_length(v) > STRAIGHT * length && vec3_normalize(v);
}

/* The axis in the world that the middle bends about by its limit, or does at rest; false where it
 * has none. */
static bool hinge_axis(const struct ik_tree *tree, const struct rig *rig,
	const struct two_bone *limb, double axis[static 3]) {
	const struct ik_node *middle = &tree->nodes[limb->middle];
	const struct joint_limit *limit = middle->limit;
	double rest[4];
	for (int k = 0; k < 4; k++) {
		rest[k] = rig->joints[middle->joint].rest.rotation[k];
	}
	quat_normalize(rest);
	if (limit && limit->kind == LIMIT_HINGE) {
		const double sign = limit->twist[0] + limit->twist[1] < 0 ? -1 : 1;
		quat_rotate(rest, limit->axis, axis);
		vec3_scale(axis, sign, axis);
	} else {
		int below = limb->end;
		while (tree->nodes[below].parent != limb->middle) {
			below = tree->nodes[below].parent;
		}
		double second[3];
		memcpy(second, tree->nodes[below].translation, sizeof second);
		quat_rotate(rest, second, second);
		vec3_cross(middle->translation, second, axis);
		if (!(vec3_length(axis) >
			    STRAIGHT * vec3_length(middle->translation) * vec3_length(second))) {
			return false;
		}
	}
	mat_map_direction(ik_parent_world(tree, limb->middle), axis, axis);
	return vec3_normalize(axis);
}

/* The unit vector across the first bone (unit) towards which the end goes when a straight limb
 * bends. */
static void bend_side(const struct ik_tree *tree, const struct rig *rig,
	const struct two_bone *limb, const double bone[static 3], double side[static 3]) {
	double root[3], axis[3];
	ik_position(tree, limb->root, root);
	if (limb->has_pole) {
		vec3_sub(root, limb->pole, side);
		if (across(bone, side)) {
			return;
		}
	}
	if (hinge_axis(tree, rig, limb, axis)) {
		vec3_cross(axis, bone, side);
		if (across(bone, side)) {
			return;
		}
	}
	for (int i = 0; i < 3; i++) {
		memset(side, 0, 3 * sizeof *side);
		side[(i + 2) % 3] = -1; // knees of most assets bend with the shin going back
		if (across(bone, side)) {
			return;
		}
	}
}

/* Positions and lengths of a limb as it is. */
struct measures {
	double root[3], middle[3], end[3];
	double first, second; // lengths
};

static struct measures measure(const struct ik_tree *tree, const struct two_bone *limb) {
	struct measures m;
	double bone[3];
	ik_position(tree, limb->root, m.root);
	ik_position(tree, limb->middle, m.middle);
	ik_position(tree, limb->end, m.end);
	vec3_sub(m.middle, m.root, bone);
	m.first = vec3_length(bone);
	vec3_sub(m.end, m.middle, bone);
	m.second = vec3_length(bone);
	return m;
}

/* Turns the middle until the end is this far from the root. knee is set to a point, in the root's
 * own frame, on the side that the middle is bent to: a limb that ends up straight does not show it.
 */
static void bend(struct ik_tree *tree, const struct rig *rig, const struct two_bone *limb,
	double distance, double knee[static 3]) {
	const struct measures m = measure(tree, limb);
	double bone[3], side[3], to[3], inverse[12];
	memset(knee, 0, 3 * sizeof *knee);
	vec3_sub(m.middle, m.root, bone);
	if (!(m.second > 0) || !vec3_normalize(bone)) {
		return;
	}
	vec3_sub(m.end, m.middle, side);
	if (!across(bone, side)) {
		bend_side(tree, rig, limb, bone, side);
	}
	for (int i = 0; i < 3; i++) {
		to[i] = m.middle[i] - m.first * side[i];
	}
	if (mat_invert(tree->nodes[limb->root].world, inverse)) {
		mat_map_point(inverse, to, knee);
	}
	// The law of cosines, for the angle between the first bone and the second gone on from it.
	const double a = m.first, b = m.second;
	double cosine = ((distance - a) * (distance + a) - b * b) / (2 * a * b);
	cosine = fmax(-1, fmin(1, cosine));
	const double sine = sqrt((1 - cosine) * (1 + cosine));
	for (int i = 0; i < 3; i++) {
		to[i] = m.middle[i] + b * (cosine * bone[i] + sine * side[i]);
	}
	ik_aim(tree, limb->middle, m.end, to);
	ik_tree_update(tree, limb->middle);
}

/* Turns the root about the line to the end until the middle is on the pole's side, in the root's
 * parent's space. */
static void face_pole(
	struct ik_tree *tree, const struct two_bone *limb, const double knee[static 3]) {
	const struct measures m = measure(tree, limb);
	const double *const points[3] = {m.end, m.middle, limb->pole};
	double inverse[12], v[3][3], bent[3];
	if (!mat_invert(ik_parent_world(tree, limb->root), inverse)) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		vec3_sub(points[i], m.root, v[i]);
		mat_map_direction(inverse, v[i], v[i]);
	}
	mat_map_point(tree->nodes[limb->root].world, knee, bent);
	vec3_sub(bent, m.root, bent);
	mat_map_direction(inverse, bent, bent);
	if (!vec3_normalize(v[0]) || !across(v[0], v[2])) {
		return;
	}
	if (!across(v[0], v[1])) {
		memcpy(v[1], bent, sizeof bent);
		if (!across(v[0], v[1])) {
			return;
		}
	}
	// By half angles: tan(angle / 2) = sine / (1 + cosine) = (1 - cosine) / sine.
	double normal[3], turn[4];
	vec3_cross(v[1], v[2], normal);
	const double sine = vec3_dot(normal, v[0]), cosine = vec3_dot(v[1], v[2]);
	vec3_scale(v[0], cosine < 0 ? 1 - cosine : sine, turn);
	turn[3] = cosine < 0 ? sine : 1 + cosine;
	quat_normalize(turn);
	ik_turn(&tree->nodes[limb->root], turn);
	ik_tree_update(tree, limb->root);
}

/* The position for the end: the target, or the nearest one in reach. Returns its distance from the
 * root. */
static double within_reach(
	const struct measures *m, const struct two_bone *limb, double goal[static 3]) {
	double direction[3];
	vec3_sub(limb->target, m->root, direction);
	double distance = vec3_length(direction);
	if (!vec3_normalize(direction)) {
		vec3_sub(m->end, m->root, direction);
		vec3_normalize(direction);
	}
	distance = two_bone_soften(distance, m->first + m->second, limb->soft);
	distance = fmax(fabs(m->first - m->second), fmin(m->first + m->second, distance));
	for (int i = 0; i < 3; i++) {
		goal[i] = m->root[i] + distance * direction[i];
	}
	return distance;
}

static bool solve_once(struct ik_tree *tree, const struct rig *rig, const struct two_bone *limb) {
	struct measures m = measure(tree, limb);
	double goal[3], missing[3], knee[3];
	bend(tree, rig, limb, within_reach(&m, limb, goal), knee);
	m = measure(tree, limb);
	within_reach(&m, limb, goal);
	ik_aim(tree, limb->root, m.end, goal);
	ik_tree_update(tree, limb->root);
	if (limb->has_pole) {
		face_pole(tree, limb, knee);
	}
	m = measure(tree, limb);
	within_reach(&m, limb, goal);
	vec3_sub(goal, m.end, missing);
	return vec3_length(missing) <= 1e-11 * (m.first + m.second);
}

void two_bone_solve(struct ik_tree *tree, const struct rig *rig, const struct two_bone *limb) {
	struct ik_node *end = &tree->nodes[limb->end];
	tree->nodes[limb->root].turns = tree->nodes[limb->middle].turns = true;
	for (int round = 0; round < ROUNDS && !solve_once(tree, rig, limb); round++) {
	}
	if (limb->has_rotation) {
		end->turns = true;
		ik_set_world_rotation(tree, limb->end, limb->rotation);
		ik_tree_update(tree, limb->end);
	}
}
