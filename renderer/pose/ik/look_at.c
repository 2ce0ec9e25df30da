// Aiming a joint's axis at a point.
#include "pose/ik/look_at.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"

#define ROUNDS 32

/* A turn in the world of a node, in its parent's space. */
static void turn_in_world(struct ik_tree *tree, int node, const double turn[static 4]) {
	double parent[4], inverse[4], stretch[9], q[4];
	mat_polar(ik_parent_world(tree, node), parent, stretch);
	quat_conjugate(parent, inverse);
	quat_multiply(turn, parent, q);
	quat_multiply(inverse, q, q);
	ik_turn(&tree->nodes[node], q);
	ik_tree_update(tree, node);
}

static bool world_direction(
	const struct ik_tree *tree, int node, const double own[static 3], double out[static 3]) {
	mat_map_direction(tree->nodes[node].world, own, out);
	return vec3_normalize(out);
}

/* Takes what is along a unit vector out of another and makes it unit; false where little is left.
 */
static bool across(const double axis[static 3], double v[static 3]) {
	const double along = vec3_dot(axis, v);
	for (int i = 0; i < 3; i++) {
		v[i] -= along * axis[i];
	}
	return vec3_length(v) > 1e-6 && vec3_normalize(v);
}

/* The arc from one direction to another (unit), of which there are many where they are opposite:
 * then the one about what is up. */
static void arc(const double from[static 3], const double to[static 3], const double up[static 3],
	double out[static 4]) {
	double axis[3];
	memcpy(axis, up, sizeof axis);
	if (vec3_dot(from, to) < -1 + 1e-12 && across(from, axis)) {
		memcpy(out, axis, sizeof axis);
		out[3] = 0;
		return;
	}
	quat_between(from, to, out);
}

/* The direction of the look before it was turned. */
struct before {
	double axis[3], up[3]; // unit, world
	bool has_up;
};

/* The rotation in the world that the joint needs, as it was before, to look at the target from
 * where it is now; and where it then looks. */
static bool wanted(const struct ik_tree *tree, const struct look_at *look,
	const struct before *before, double turn[static 4], double direction[static 3]) {
	double position[3], vector[3], up[3], upright[3];
	ik_position(tree, look->joint, position);
	vec3_sub(look->target, position, direction);
	if (!vec3_normalize(direction)) {
		return false;
	}
	arc(before->axis, direction, before->has_up ? before->up : look->world_up, turn);
	quat_to_vector(turn, vector);
	const double angle = vec3_length(vector);
	if (angle > look->max_rad) {
		quat_power(turn, look->max_rad / angle, turn);
		quat_rotate(turn, before->axis, direction);
	}
	quat_rotate(turn, before->up, up);
	memcpy(upright, look->world_up, sizeof upright);
	if (before->has_up && across(direction, up) && across(direction, upright)) {
		double twist[4], normal[3];
		quat_between(up, upright, twist);
		vec3_cross(up, upright, normal);
		if (vec3_dot(up, upright) < 0) { // by half angles about the very axis
			vec3_scale(direction, 1 - vec3_dot(up, upright), twist);
			twist[3] = vec3_dot(normal, direction);
			quat_normalize(twist);
		}
		quat_multiply(twist, turn, turn);
	}
	return true;
}

static void restore(struct ik_tree *tree, const struct look_at *look) {
	for (int i = 0; i < look->count; i++) {
		struct ik_node *node = &tree->nodes[look->chain[i]];
		memcpy(node->rotation, node->start, sizeof node->rotation);
	}
	ik_tree_update(tree, 0);
}

/* The rest that the shares leave, under uneven scales or where the target is so near that each
 * rotation moves it: the joint itself turns, if it may. */
static void correct(
	struct ik_tree *tree, const struct look_at *look, const double direction[static 3]) {
	double position[3], from[3], to[3];
	const int last = look->chain[look->count - 1];
	if (last != look->joint || !world_direction(tree, last, look->axis, from)) {
		return;
	}
	ik_position(tree, last, position);
	for (int i = 0; i < 3; i++) {
		from[i] += position[i];
		to[i] = position[i] + direction[i];
	}
	ik_aim(tree, last, from, to);
	ik_tree_update(tree, last);
}

void look_at_solve(struct ik_tree *tree, const struct look_at *look) {
	struct before before = {.has_up = look->has_up};
	before.has_up = before.has_up && world_direction(tree, look->joint, look->up, before.up);
	for (int i = 0; i < look->count; i++) {
		tree->nodes[look->chain[i]].turns = true;
	}
	if (!world_direction(tree, look->joint, look->axis, before.axis)) {
		return;
	}
	double turn[4], last[4] = {0}, direction[3];
	for (int round = 0; round < ROUNDS; round++) {
		if (!wanted(tree, look, &before, turn, direction) ||
			memcmp(turn, last, sizeof turn) == 0) {
			break;
		}
		memcpy(last, turn, sizeof turn);
		restore(tree, look);
		for (int i = 0; i < look->count; i++) {
			double part[4];
			quat_power(turn, look->share[i], part);
			turn_in_world(tree, look->chain[i], part);
		}
	}
	if (wanted(tree, look, &before, turn, direction)) {
		correct(tree, look, direction);
	}
}
