// Turning one rest pose towards another.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/retarget/retarget_internal.h"

static void position_of(const double world[static 12], double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = world[k * 4 + 3];
	}
}

/* From one joint to another at rest; false where they are in one place. */
static bool direction_of(const double (*world)[12], int from, int to, double direction[static 3]) {
	double a[3];
	position_of(world[from], a);
	position_of(world[to], direction);
	vec3_sub(direction, a, direction);
	return vec3_normalize(direction);
}

/* The sum over the bones of our direction times theirs: what a turn is worth is how far it brings
 * theirs upon ours. */
static void sum_bones(
	const struct retarget *retarget, const struct retarget_rest *rest, double sum[static 9]) {
	const struct joint_map *map = retarget->map;
	memset(sum, 0, 9 * sizeof *sum);
	for (int i = 0; i < map->ours->joint_count; i++) {
		const struct retarget_joint *joint = &retarget->joints[i];
		double ours[3], theirs[3];
		if (map->partner[i] < 0 || joint->their_above < 0 ||
			!direction_of(
				(const double(*)[12])rest->our_world, joint->above, i, ours) ||
			!direction_of((const double(*)[12])rest->their_world, joint->their_above,
				map->partner[i], theirs)) {
			continue;
		}
		for (int k = 0; k < 9; k++) {
			sum[k] += ours[k / 3] * theirs[k % 3];
		}
	}
}

/* The i-th of the 48 ways to permute and mirror the axes: the turns are those with determinant 1.
 */
static void axes_of(int i, double rows[static 9]) {
	static const int orders[6][3] = {
		{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
	memset(rows, 0, 9 * sizeof *rows);
	for (int k = 0; k < 3; k++) {
		rows[k * 3 + orders[i / 8][k]] = i >> k & 1 ? -1 : 1;
	}
}

static double worth_of(const double rows[static 9], const double sum[static 9]) {
	double worth = 0;
	for (int k = 0; k < 9; k++) {
		worth += rows[k] * sum[k];
	}
	return worth;
}

/* The factor by which a rotation must be better than none before the rest poses count as facing
 * different ways. */
#define TURN_MARGIN 1.05

/* The turn by quarters that brings most of their bones upon ours. */
static void find_turn(const double sum[static 9], double turn[static 4]) {
	double best[9], rows[9];
	axes_of(0, best);
	double worth = fabs(worth_of(best, sum)) * (TURN_MARGIN - 1) + worth_of(best, sum);
	for (int i = 1; i < 48; i++) {
		axes_of(i, rows);
		double matrix[12] = {0};
		for (int k = 0; k < 9; k++) {
			matrix[k / 3 * 4 + k % 3] = rows[k];
		}
		if (mat_determinant(matrix) > 0 && worth_of(rows, sum) > worth) {
			worth = worth_of(rows, sum);
			memcpy(best, rows, sizeof best);
		}
	}
	mat_to_quaternion(best, turn);
}

/* The left and the upper end of a humanoid; false if a joint is missing that shows it. */
static bool find_body_axes(const struct humanoid *roles, const double (*world)[12],
	double left[static 3], double up[static 3]) {
	static const enum humanoid_role roots[] = {
		HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_UPPER_ARM};
	double middle[2][3], places[2][3];
	for (int i = 1; i >= 0; i--) {
		for (int side = 0; side < 2; side++) {
			const int joint = roles->joints[(int)roots[i] + side * HUMANOID_SIDE_ROLES];
			if (joint < 0) {
				return false;
			}
			position_of(world[joint], places[side]);
		}
		for (int k = 0; k < 3; k++) {
			middle[i][k] = (places[0][k] + places[1][k]) / 2;
		}
	}
	vec3_sub(places[0], places[1], left);
	vec3_sub(middle[1], middle[0], up);
	return vec3_normalize(left) && vec3_normalize(up);
}

/* Bodies face alike where their lefts differ by less than 40 degrees and they lean by less than 50
 * from one another. */
#define LEFT_COSINE 0.766
#define UP_COSINE 0.643

/* True when a turn makes their humanoid face as ours does. A body that rests askew does by no turn
 * of quarters. */
static bool is_facing(
	const struct retarget *retarget, const struct retarget_rest *rest, const double turn[4]) {
	double left[2][3], up[2][3];
	if (!find_body_axes(&retarget->map->our_roles, (const double(*)[12])rest->our_world,
		    left[0], up[0]) ||
		!find_body_axes(&retarget->map->their_roles, (const double(*)[12])rest->their_world,
			left[1], up[1])) {
		return true;
	}
	quat_rotate(turn, left[1], left[1]);
	quat_rotate(turn, up[1], up[1]);
	return vec3_dot(left[0], left[1]) > LEFT_COSINE && vec3_dot(up[0], up[1]) > UP_COSINE;
}

/* The joint of ours that shows where a humanoid's limb points; -1 = none does. */
static int limb_end(const struct humanoid *roles, int joint) {
	for (int shift = 0; shift <= HUMANOID_SIDE_ROLES; shift += HUMANOID_SIDE_ROLES) {
		for (int i = HUMANOID_LEFT_UPPER_ARM; i < HUMANOID_RIGHT_SHOULDER - 1; i++) {
			const bool is_last = i == HUMANOID_LEFT_HAND || i >= HUMANOID_LEFT_FOOT;
			const bool is_finger =
				i >= HUMANOID_LEFT_THUMB_1 && (i - HUMANOID_LEFT_THUMB_1) % 3 < 2;
			if (roles->joints[i + shift] == joint && (!is_last || is_finger)) {
				return roles->joints[i + shift + 1];
			}
		}
	}
	return -1;
}

/* True when a joint rests as it is, whatever is above: trunk, head and feet stand alike in all rest
 * poses, though ankles are higher or necks lean more. */
static bool is_upright(const struct humanoid *roles, int joint) {
	static const enum humanoid_role upright[] = {HUMANOID_HIPS, HUMANOID_SPINE, HUMANOID_CHEST,
		HUMANOID_NECK, HUMANOID_HEAD, HUMANOID_LEFT_SHOULDER, HUMANOID_RIGHT_SHOULDER,
		HUMANOID_LEFT_FOOT, HUMANOID_RIGHT_FOOT, HUMANOID_LEFT_TOES, HUMANOID_RIGHT_TOES};
	for (size_t i = 0; i < sizeof upright / sizeof *upright; i++) {
		if (roles->joints[upright[i]] == joint) {
			return true;
		}
	}
	return false;
}

/* Of each joint with one child in the map that child, else -1. */
static int *only_children(const struct retarget *retarget, struct arena *arena) {
	const struct joint_map *map = retarget->map;
	int *children = arena_alloc(arena, (size_t)map->ours->joint_count, sizeof *children);
	memset(children, -1, (size_t)map->ours->joint_count * sizeof *children);
	for (int i = 0; i < map->ours->joint_count; i++) {
		const int above = retarget->joints[i].above;
		if (map->partner[i] >= 0 && above >= 0) {
			children[above] = children[above] == -1 ? i : -2;
		}
	}
	return children;
}

/* Directions that differ by less, a few roundings of float32, are the same: an arc would make the
 * joint one that is turned. */
#define ARC_MIN 1e-6

/* Turns a joint on from where it is by its parent's turn, so that it points to its end as its
 * partner does. */
static void point(const struct retarget *retarget, const struct retarget_rest *rest, int joint,
	int end, double turn[static 4]) {
	const struct joint_map *map = retarget->map;
	const int from = map->partner[joint], to = map->partner[end];
	double ours[3], theirs[3], arc[4];
	const bool is_limb = to >= 0 &&
		(rig_is_below(map->theirs, to, from) || retarget->joints[joint].aim == to);
	if (!is_limb || !direction_of((const double(*)[12])rest->our_world, joint, end, ours) ||
		!direction_of((const double(*)[12])rest->their_world, from, to, theirs)) {
		return;
	}
	quat_rotate(turn, ours, ours);
	quat_rotate(retarget->turn, theirs, theirs);
	vec3_cross(ours, theirs, arc);
	if (vec3_length(arc) > ARC_MIN || vec3_dot(ours, theirs) < 0) {
		quat_between(ours, theirs, arc);
		quat_multiply(arc, turn, turn);
		quat_normalize(turn);
	}
}

void retarget_align_rest(
	struct retarget *retarget, const struct retarget_rest *rest, struct arena *arena) {
	static const double none[4] = {0, 0, 0, 1};
	const struct joint_map *map = retarget->map;
	const struct humanoid *roles = &map->our_roles;
	const bool is_humanoid = roles->joints[HUMANOID_HIPS] >= 0;
	const int *only = only_children(retarget, arena);
	double sum[9];
	sum_bones(retarget, rest, sum);
	find_turn(sum, retarget->turn);
	if (!is_facing(retarget, rest, retarget->turn)) {
		memcpy(retarget->turn, none, sizeof none);
	}
	for (int n = 0; n < map->ours->joint_count; n++) {
		const int i = retarget->order[n], carrier = retarget->joints[i].carrier;
		const int parent = carrier >= 0 ? carrier : map->ours->joints[i].parent;
		double *turn = retarget->joints[i].turn;
		memcpy(turn, parent >= 0 ? retarget->joints[parent].turn : none, sizeof none);
		if (is_humanoid && is_upright(roles, i)) {
			memcpy(turn, none, sizeof none);
		}
		const int end = is_humanoid ? limb_end(roles, i) : only[i];
		if (map->partner[i] >= 0 && end >= 0) {
			point(retarget, rest, i, end, turn);
		}
	}
}
