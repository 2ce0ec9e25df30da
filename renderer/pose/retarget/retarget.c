// The preparation that all poses retargeted from one rig to another share.
#include "pose/retarget/retarget.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/pose.h"
#include "pose/retarget/retarget_internal.h"

static const double no_turn[4] = {0, 0, 0, 1};

void retarget_signs(const struct transform *local, double out[static 4]) {
	int negative = 0;
	for (int k = 0; k < 3; k++) {
		negative |= (local->scale[k] < 0) << k;
	}
	// An odd number of negative factors is -1 times the turn of the others.
	const bool is_mirror = negative == 1 || negative == 2 || negative == 4 || negative == 7;
	const int kept = is_mirror ? negative : ~negative & 7;
	memset(out, 0, 4 * sizeof *out);
	out[kept == 1 ? 0 : kept == 2 ? 1 : kept == 4 ? 2 : 3] = 1;
}

void retarget_rotation(const double *parent, const struct transform *local, double out[static 4]) {
	double rotation[4], signs[4];
	for (int k = 0; k < 4; k++) {
		rotation[k] = local->rotation[k];
	}
	quat_normalize(rotation);
	retarget_signs(local, signs);
	quat_multiply(rotation, signs, out);
	if (parent) {
		quat_multiply(parent, out, out);
	}
	quat_normalize(out);
}

static void rest_of(
	const struct rig *rig, struct arena *arena, double (**world)[12], double (**rotations)[4]) {
	const size_t count = (size_t)rig->joint_count;
	const struct pose pose = pose_rest(rig, arena);
	*world = arena_alloc(arena, count, sizeof **world);
	*rotations = arena_alloc(arena, count, sizeof **rotations);
	pose_to_world(rig, &pose, *world);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		retarget_rotation(
			parent >= 0 ? (*rotations)[parent] : NULL, &pose.local[i], (*rotations)[i]);
	}
}

static void find_above(struct retarget *retarget) {
	const struct joint_map *map = retarget->map;
	for (int i = 0; i < map->ours->joint_count; i++) {
		struct retarget_joint *joint = &retarget->joints[i];
		const int parent = map->ours->joints[i].parent;
		joint->above = parent < 0 || map->partner[parent] >= 0
			? parent
			: retarget->joints[parent].above;
		joint->their_above = -1;
		if (map->partner[i] < 0) {
			continue;
		}
		const int theirs = joint->above >= 0 ? map->partner[joint->above] : -1;
		if (theirs >= 0 && rig_is_below(map->theirs, map->partner[i], theirs)) {
			joint->their_above = theirs;
		}
		for (int k = map->partner[i]; k != joint->their_above;
			k = map->theirs->joints[k].parent) {
			retarget->steps++;
		}
	}
}

static void turn_by_hand(struct retarget *retarget, const double (*turns)[4]) {
	for (int i = 0; i < retarget->map->ours->joint_count; i++) {
		const int parent = retarget->map->ours->joints[i].parent;
		quat_multiply(turns[i], parent >= 0 ? retarget->joints[parent].turn : no_turn,
			retarget->joints[i].turn);
		quat_normalize(retarget->joints[i].turn);
	}
}

/* Of the hips above the feet; 0 where one of the three is not known or the hips are not above. */
static double hip_height(
	const struct humanoid *roles, const double (*world)[12], const double turn[static 4]) {
	static const enum humanoid_role needed[] = {
		HUMANOID_HIPS, HUMANOID_LEFT_FOOT, HUMANOID_RIGHT_FOOT};
	double heights[3];
	for (int i = 0; i < 3; i++) {
		const int joint = roles->joints[needed[i]];
		if (joint < 0) {
			return 0;
		}
		double position[3] = {world[joint][3], world[joint][7], world[joint][11]};
		quat_rotate(turn, position, position);
		heights[i] = position[1];
	}
	return fmax(heights[0] - (heights[1] + heights[2]) / 2, 0);
}

/* The bones stand in for what the rest poses would tell: which way the avatar faces, and how high
 * its hips are above the ground. */
static void align_avatar(
	struct retarget *retarget, const struct retarget_rest *rest, double scale) {
	static const double about_y[4] = {0, 1, 0, 0};
	const struct joint_map *map = retarget->map;
	const struct avatar *ours = map->ours->avatar, *theirs = map->theirs->avatar;
	const int our_hips = ours->bones[AVATAR_BONE_hips];
	const int their_hips = theirs->bones[AVATAR_BONE_hips];
	if (ours->is_0x) {
		memcpy(retarget->turn, about_y, sizeof about_y);
	}
	retarget->our_height = our_hips >= 0 ? rest->our_world[our_hips][7] : 0;
	retarget->their_height = their_hips >= 0 ? rest->their_world[their_hips][7] : 0;
	const bool known = retarget->our_height > 0 && retarget->their_height > 0;
	retarget->scale = scale > 0 ? scale
		: known             ? retarget->our_height / retarget->their_height
				    : 1;
}

/* The place of the hips in the world is theirs, scaled: how ours rest does not matter. */
static void place_hips(struct retarget *retarget, const struct retarget_rest *rest) {
	const int hips = retarget->map->ours->avatar->bones[AVATAR_BONE_hips];
	if (hips < 0 || retarget->map->partner[hips] < 0) {
		return;
	}
	struct retarget_joint *joint = &retarget->joints[hips];
	double inverse[4];
	quat_conjugate(retarget->turn, inverse);
	for (int k = 0; k < 3; k++) {
		joint->socket[k] = rest->our_world[hips][k * 4 + 3] / retarget->scale;
	}
	quat_rotate(inverse, joint->socket, joint->socket);
	joint->their_above = -1;
}

static double distance(const double a[static 12], const double b[static 12]) {
	const double between[3] = {a[3] - b[3], a[7] - b[7], a[11] - b[11]};
	return vec3_length(between);
}

/* By the lengths of all bones that both have. */
static double scale_of_bones(const struct retarget *retarget, const struct retarget_rest *rest) {
	const struct joint_map *map = retarget->map;
	double ours = 0, theirs = 0;
	for (int i = 0; i < map->ours->joint_count; i++) {
		const struct retarget_joint *joint = &retarget->joints[i];
		if (map->partner[i] >= 0 && joint->their_above >= 0) {
			ours += distance(rest->our_world[i], rest->our_world[joint->above]);
			theirs += distance(rest->their_world[map->partner[i]],
				rest->their_world[joint->their_above]);
		}
	}
	return ours > 0 && theirs > 0 ? ours / theirs : 1;
}

static void find_scale(struct retarget *retarget, const struct retarget_rest *rest, double scale) {
	const struct joint_map *map = retarget->map;
	const int hips = map->our_roles.joints[HUMANOID_HIPS];
	retarget->our_height =
		hip_height(&map->our_roles, (const double(*)[12])rest->our_world, no_turn);
	retarget->their_height = hip_height(
		&map->their_roles, (const double(*)[12])rest->their_world, retarget->turn);
	const bool by_hips = hips >= 0 && map->partner[hips] >= 0 &&
		map->partner[hips] == map->their_roles.joints[HUMANOID_HIPS] &&
		retarget->our_height > 0 && retarget->their_height > 0;
	if (scale > 0) {
		retarget->scale = scale;
	} else if (by_hips) {
		retarget->scale = retarget->our_height / retarget->their_height;
	} else {
		retarget->scale = scale_of_bones(retarget, rest);
	}
}

/* Marks the joints of the skeleton that are in the map, and counts them at and below each joint.
 * Returns how many they are. */
static int count_bound(const struct joint_map *map, bool *bound, int *counts) {
	const struct rig *rig = map->ours;
	skeleton_mark_skinned(rig, bound);
	int all = 0;
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		bound[i] = bound[i] && map->partner[i] >= 0;
		counts[i] += bound[i];
		all += bound[i];
		if (parent >= 0) {
			counts[parent] += counts[i];
		}
	}
	return all;
}

/* The joint that moves all others: the hips or, where there are none, the last one in the map
 * before the skeleton branches, of a mere chain the first. -1 = there is none, but several roots.
 */
static int find_hub(const struct joint_map *map, struct arena *arena) {
	const int hips = map->our_roles.joints[HUMANOID_HIPS];
	if (hips >= 0 && map->partner[hips] >= 0) {
		return hips;
	}
	const size_t count = (size_t)map->ours->joint_count;
	bool *bound = arena_alloc(arena, count, sizeof *bound);
	int *counts = arena_alloc(arena, count, sizeof *counts);
	const int all = count_bound(map, bound, counts);
	int first = -1, last = -1, passed = 0;
	bool is_chain = false;
	for (int i = 0; i < map->ours->joint_count; i++) {
		// Only what all the others hang from has them below it.
		if (counts[i] == 0 || counts[i] + passed != all) {
			continue;
		}
		is_chain = counts[i] == bound[i];
		passed += bound[i];
		if (map->partner[i] >= 0) {
			first = first < 0 ? i : first;
			last = i;
		}
	}
	return is_chain ? first : last;
}

static void mark_moving(struct retarget *retarget, bool all, struct arena *arena) {
	const struct joint_map *map = retarget->map;
	const int hub = find_hub(map, arena);
	for (int i = 0; i < map->ours->joint_count; i++) {
		retarget->joints[i].moves =
			map->partner[i] >= 0 && (all || (hub < 0 && retarget->joints[i].above < 0));
	}
	for (int i = hub; i >= 0; i = map->ours->joints[i].parent) {
		retarget->joints[i].moves = map->partner[i] >= 0;
	}
}

static bool same_transform(const struct transform *a, const struct transform *b) {
	return memcmp(a, b, sizeof *a) == 0;
}

/* A joint that rests like its partner, below joints that do: what its partner does locally is what
 * it does, to the bit. */
static bool is_twin(const struct retarget *retarget, int i) {
	const struct joint_map *map = retarget->map;
	const int theirs = map->partner[i], parent = map->ours->joints[i].parent;
	if (theirs < 0 || memcmp(retarget->turn, no_turn, sizeof no_turn) != 0 ||
		memcmp(retarget->joints[i].turn, no_turn, sizeof no_turn) != 0 ||
		!same_transform(&map->ours->joints[i].rest, &map->theirs->joints[theirs].rest)) {
		return false;
	}
	const int their_parent = map->theirs->joints[theirs].parent;
	return parent < 0 ? their_parent < 0
			  : retarget->joints[parent].twin && map->partner[parent] == their_parent;
}

static void make_joint(struct retarget *retarget, const struct retarget_rest *rest, int i) {
	struct retarget_joint *joint = &retarget->joints[i];
	const int theirs = retarget->map->partner[i];
	joint->twin = is_twin(retarget, i);
	if (theirs < 0) {
		return;
	}
	const double *above = joint->above >= 0 ? retarget->joints[joint->above].turn : no_turn;
	joint->turned = memcmp(joint->turn, above, sizeof joint->turn) != 0;
	double inverse[12], turned[4];
	quat_multiply(retarget->turn, rest->their_rotations[theirs], turned);
	quat_conjugate(turned, turned);
	quat_multiply(joint->turn, rest->our_rotations[i], joint->offset);
	quat_multiply(turned, joint->offset, joint->offset);
	quat_normalize(joint->offset);
	const double *world = rest->their_world[theirs];
	const double position[3] = {world[3], world[7], world[11]};
	memcpy(joint->socket, position, sizeof position);
	if (joint->their_above >= 0 && mat_invert(rest->their_world[joint->their_above], inverse)) {
		mat_map_point(inverse, position, joint->socket);
	} else {
		joint->their_above = -1;
	}
}

void retarget_make(const struct joint_map *map, const struct retarget_settings *settings,
	struct arena *arena, struct retarget *retarget) {
	const size_t ours = (size_t)map->ours->joint_count;
	const size_t theirs = (size_t)map->theirs->joint_count;
	*retarget = (struct retarget){
		.map = map,
		.turn = {0, 0, 0, 1},
		.joints = arena_alloc(arena, ours, sizeof *retarget->joints),
		.order = arena_alloc(arena, ours, sizeof *retarget->order),
		.our_world = arena_alloc(arena, ours, sizeof *retarget->our_world),
		.their_world = arena_alloc(arena, theirs, sizeof *retarget->their_world),
		.our_rotations = arena_alloc(arena, ours, sizeof *retarget->our_rotations),
		.their_rotations = arena_alloc(arena, theirs, sizeof *retarget->their_rotations),
	};
	struct retarget_rest rest;
	rest_of(map->ours, arena, &rest.our_world, &rest.our_rotations);
	rest_of(map->theirs, arena, &rest.their_world, &rest.their_rotations);
	for (size_t i = 0; i < ours; i++) {
		memcpy(retarget->joints[i].turn, no_turn, sizeof no_turn);
	}
	find_above(retarget);
	retarget_find_apart(retarget, arena);
	retarget_rest_apart(retarget, &rest);
	if (settings->align == RETARGET_ALIGN_REST) {
		retarget_align_rest(retarget, &rest, arena);
	} else if (settings->align == RETARGET_ALIGN_GIVEN) {
		turn_by_hand(retarget, settings->turns);
	}
	const bool is_avatar = settings->align == RETARGET_ALIGN_AVATAR;
	if (is_avatar) {
		align_avatar(retarget, &rest, settings->scale);
	} else {
		find_scale(retarget, &rest, settings->scale);
	}
	mark_moving(retarget, settings->all_move, arena);
	for (int i = 0; i < map->ours->joint_count; i++) {
		make_joint(retarget, &rest, i);
	}
	if (is_avatar) {
		place_hips(retarget, &rest);
	}
}

bool retarget_moves(const struct retarget *retarget, int joint) {
	return retarget->joints[joint].moves;
}

double retarget_turn_deg(const struct retarget *retarget, int joint) {
	const double *q = retarget->joints[joint].turn;
	const double sine = vec3_length(q), cosine = fabs(q[3]);
	return 2 * angle_atan2(sine, cosine) * 180 / 3.14159265358979323846;
}
