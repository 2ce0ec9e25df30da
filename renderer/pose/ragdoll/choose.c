// The joints of a rig that become bodies of its rag doll.
#include "pose/ragdoll/anatomy.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* Shares of the points' size, which is 1.4 times the height of a human with the arms held out: a
 * hand (18 cm) reaches far enough, a finger (10 cm) does not; a collar bone (12 cm) is a bone, two
 * joints of a spine 5 cm apart are one. */
#define REACH 0.055
#define APART 0.03
#define FARTHEST 1e3 // what is farther away than this is no joint of the same thing

/* The known facts about each joint. */
struct looks {
	double *reach; // [joint_count] to the farthest point that hangs on it, directly or not
	bool *loaded;  // [joint_count] points hang on it directly
	bool *carries; // [joint_count] another chosen joint is below
	const bool *must, *never;
};

static double distance(const double a[static 3], const double b[static 3]) {
	double way[3];
	vec3_sub(a, b, way);
	return vec3_length(way);
}

static double joint_distance(const struct ragdoll_points *points, int a, int b) {
	double from[3], to[3];
	ragdoll_points_joint(points, a, from);
	ragdoll_points_joint(points, b, to);
	return distance(from, to);
}

static void measure(
	const struct rig *rig, const struct ragdoll_points *points, struct looks *looks) {
	for (int i = 0; i < points->count; i++) {
		looks->loaded[points->joints[i]] = true;
		for (int j = points->joints[i]; j >= 0; j = rig->joints[j].parent) {
			double at[3];
			ragdoll_points_joint(points, j, at);
			looks->reach[j] = fmax(looks->reach[j], distance(points->at[i], at));
		}
	}
}

int ragdoll_chosen_above(const struct rig *rig, const bool *chosen, int joint) {
	while (joint >= 0 && !chosen[joint]) {
		joint = rig->joints[joint].parent;
	}
	return joint;
}

static int chosen_parent(const struct rig *rig, const bool *chosen, int joint) {
	return ragdoll_chosen_above(rig, chosen, rig->joints[joint].parent);
}

static void choose_by_size(const struct rig *rig, const struct ragdoll_points *points,
	const struct looks *looks, double scale, bool *chosen) {
	for (int i = 0; i < rig->joint_count; i++) {
		const int above = chosen_parent(rig, chosen, i);
		chosen[i] = looks->must[i] ||
			(looks->loaded[i] && !looks->never[i] &&
				looks->reach[i] >= scale * REACH * points->size &&
				looks->reach[i] <= FARTHEST * points->size &&
				(above < 0 ||
					joint_distance(points, i, above) >=
						scale * APART * points->size));
	}
}

/* Distance from a joint's origin to the bone between two others'. */
static double distance_to_bone(const struct ragdoll_points *points, int joint, int from, int to) {
	double at[3], start[3], end[3], bone[3], way[3];
	ragdoll_points_joint(points, joint, at);
	ragdoll_points_joint(points, from, start);
	ragdoll_points_joint(points, to, end);
	vec3_sub(end, start, bone);
	vec3_sub(at, start, way);
	const double square = vec3_dot(bone, bone);
	const double share = square > 0 ? fmin(fmax(vec3_dot(way, bone) / square, 0), 1) : 0;
	for (int i = 0; i < 3; i++) {
		way[i] -= share * bone[i];
	}
	return vec3_length(way);
}

/* True when a joint that carries none lies on the bone from the one above to another that reaches
 * farther: spreads its twist, or bulges. */
static bool is_helper(const struct rig *rig, const struct ragdoll_points *points,
	const struct looks *looks, const bool *chosen, int joint) {
	const int above = chosen_parent(rig, chosen, joint);
	if (above < 0 || looks->carries[joint] || looks->must[joint]) {
		return false;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (i != joint && chosen[i] && chosen_parent(rig, chosen, i) == above &&
			(looks->carries[i] || looks->reach[i] > looks->reach[joint]) &&
			distance_to_bone(points, joint, above, i) < APART * points->size) {
			return true;
		}
	}
	return false;
}

static void drop_helpers(const struct rig *rig, const struct ragdoll_points *points,
	struct looks *looks, bool *chosen) {
	memset(looks->carries, 0, (size_t)rig->joint_count * sizeof *looks->carries);
	for (int i = 0; i < rig->joint_count; i++) {
		const int above = chosen[i] ? chosen_parent(rig, chosen, i) : -1;
		if (above >= 0) {
			looks->carries[above] = true;
		}
	}
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		if (chosen[i] && is_helper(rig, points, looks, chosen, i)) {
			chosen[i] = false;
		}
	}
}

/* The nearest joint that is at or above both; -1 if there is none. Parents come before children. */
static int common(const struct rig *rig, int a, int b) {
	while (a != b && a >= 0 && b >= 0) {
		if (a > b) {
			a = rig->joints[a].parent;
		} else {
			b = rig->joints[b].parent;
		}
	}
	return a == b ? a : -1;
}

/* Joints that move a common skin are connected. */
static void join_skin(
	const struct rig *rig, const struct primitive *primitive, const bool *used, bool *chosen) {
	int top = -1;
	for (int i = 0; i < primitive->slot_count; i++) {
		const int joint = rig->slots[primitive->first_slot + i].joint;
		const int body = used[joint] ? ragdoll_chosen_above(rig, chosen, joint) : -1;
		if (body >= 0) {
			top = top < 0 ? body : common(rig, top, body);
			if (top < 0) {
				return;
			}
		}
	}
	if (top >= 0) {
		chosen[top] = true;
	}
}

/* Without skins all pieces are one thing. */
static void join_pieces(const struct rig *rig, bool *chosen) {
	int top = -1;
	for (int i = 0; i < rig->joint_count; i++) {
		if (chosen[i]) {
			top = top < 0 ? i : common(rig, top, i);
			if (top < 0) {
				return;
			}
		}
	}
	if (top >= 0) {
		chosen[top] = true;
	}
}

static int count_chosen(const struct rig *rig, const bool *chosen) {
	int count = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		count += chosen[i];
	}
	return count;
}

static void choose(const struct rig *rig, const struct ragdoll_points *points, struct looks *looks,
	double scale, bool *chosen) {
	bool skinned = false;
	choose_by_size(rig, points, looks, scale, chosen);
	drop_helpers(rig, points, looks, chosen);
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].skinned) {
			skinned = true;
			join_skin(rig, &rig->primitives[i], looks->loaded, chosen);
		}
	}
	if (!skinned) {
		join_pieces(rig, chosen);
	}
}

void ragdoll_choose(const struct rig *rig, const struct ragdoll_points *points, const bool *must,
	const bool *never, struct arena *scratch, bool *chosen) {
	const size_t count = (size_t)rig->joint_count;
	struct looks looks = {
		.reach = arena_alloc(scratch, count, sizeof *looks.reach),
		.loaded = arena_alloc(scratch, count, sizeof *looks.loaded),
		.carries = arena_alloc(scratch, count, sizeof *looks.carries),
		.must = must,
		.never = never,
	};
	measure(rig, points, &looks);
	double scale = 1;
	do {
		choose(rig, points, &looks, scale, chosen);
		scale *= 1.25;
	} while (count_chosen(rig, chosen) > RAGDOLL_BODIES_MAX);
}
