// Hands and feet that lie apart from their limbs.
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/retarget/retarget_internal.h"

/* The lower joint of the limb that a joint is at the end of without lying below it; -1 = it is not
 * apart. */
static int carrier_of(const struct humanoid *roles, int joint) {
	int carrier = -1;
	for (int i = 1; i < HUMANOID_ROLE_COUNT; i++) {
		if (roles->apart[i] && roles->joints[i] == joint) {
			carrier = roles->joints[i - 1];
		}
	}
	return carrier;
}

/* First all joints but those apart and what hangs from them, then these: each parent before its
 * children, and each limb before its end. */
static void find_order(struct retarget *retarget, struct arena *arena) {
	const struct rig *rig = retarget->map->ours;
	bool *late = arena_alloc(arena, (size_t)rig->joint_count, sizeof *late);
	int count = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		late[i] = retarget->joints[i].carrier >= 0 || (parent >= 0 && late[parent]);
	}
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < rig->joint_count; i++) {
			if (late[i] == (pass == 1)) {
				retarget->order[count++] = i;
			}
		}
	}
}

void retarget_find_apart(struct retarget *retarget, struct arena *arena) {
	const struct joint_map *map = retarget->map;
	for (int i = 0; i < map->ours->joint_count; i++) {
		retarget->joints[i].carrier = carrier_of(&map->our_roles, i);
		retarget->joints[i].aim = -1;
	}
	for (int i = 1; i < HUMANOID_ROLE_COUNT; i++) {
		const int limb = map->their_roles.joints[i - 1];
		if (map->their_roles.apart[i] && map->follower[limb] >= 0) {
			retarget->joints[map->follower[limb]].aim = map->their_roles.joints[i];
		}
	}
	find_order(retarget, arena);
}

/* A joint's place as seen from another; where it is there is none of its own. */
static void seen_from(const double (*world)[12], int joint, int from, double out[static 3]) {
	double inverse[12];
	for (int k = 0; k < 3; k++) {
		out[k] = world[joint][k * 4 + 3];
	}
	if (mat_invert(world[from], inverse)) {
		mat_map_point(inverse, out, out);
	}
}

void retarget_rest_apart(struct retarget *retarget, const struct retarget_rest *rest) {
	const struct joint_map *map = retarget->map;
	for (int i = 0; i < map->ours->joint_count; i++) {
		struct retarget_joint *joint = &retarget->joints[i];
		if (joint->carrier >= 0) {
			double inverse[4];
			seen_from((const double(*)[12])rest->our_world, i, joint->carrier,
				joint->carried);
			quat_conjugate(rest->our_rotations[joint->carrier], inverse);
			quat_multiply(inverse, rest->our_rotations[i], joint->bearing);
		}
		if (joint->aim >= 0) {
			seen_from((const double(*)[12])rest->their_world, joint->aim,
				map->partner[i], joint->sight);
		}
	}
}

/* From a limb of theirs to its end apart: as it would be if that rested there, and as it is. */
static void look(const struct retarget *retarget, int limb, double resting[static 3],
	double being[static 3]) {
	const struct retarget_joint *joint = &retarget->joints[limb];
	const double *world = retarget->their_world[retarget->map->partner[limb]];
	mat_map_direction(world, joint->sight, resting);
	for (int k = 0; k < 3; k++) {
		being[k] = retarget->their_world[joint->aim][k * 4 + 3] - world[k * 4 + 3];
	}
}

void retarget_aim(const struct retarget *retarget, int joint, double rotation[static 4]) {
	double resting[3], being[3], arc[4];
	look(retarget, joint, resting, being);
	if (vec3_normalize(resting) && vec3_normalize(being)) {
		quat_between(resting, being, arc);
		quat_multiply(arc, rotation, rotation);
	}
}

void retarget_carry(const struct retarget *retarget, int joint, struct transform *local) {
	const struct retarget_joint *part = &retarget->joints[joint];
	const int aim = retarget->joints[part->carrier].aim;
	double there[3], inverse[12], resting[3], being[3], stretch = 1;
	if (aim >= 0 && aim == retarget->map->partner[joint]) {
		look(retarget, part->carrier, resting, being);
		const double length = vec3_length(resting);
		stretch = length > 0 ? vec3_length(being) / length : 1;
	}
	vec3_scale(part->carried, stretch, there);
	mat_map_point(retarget->our_world[part->carrier], there, there);
	const int parent = retarget->map->ours->joints[joint].parent;
	if (parent >= 0) {
		if (!mat_invert(retarget->our_world[parent], inverse)) {
			return; // nothing moves what is scaled to nothing
		}
		mat_map_point(inverse, there, there);
	}
	for (int k = 0; k < 3; k++) {
		local->translation[k] = (float)there[k];
	}
}
