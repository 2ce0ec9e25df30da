// Finding the joints of a humanoid.
#include "pose/humanoid/humanoid.h"

#include "pose/humanoid/humanoid_internal.h"
#include "pose/pose.h"

bool humanoid_is_under(const struct humanoid_search *search, int joint, int ancestor) {
	if (joint < 0 || ancestor < 0) {
		return ancestor < 0;
	}
	const int into = search->first[joint] - search->first[ancestor];
	return into >= 0 && into < search->joints[ancestor];
}

int humanoid_common(const struct rig *rig, int a, int b) {
	if (a < 0 || b < 0) {
		return a < 0 ? b : a;
	}
	while (a != b) {
		// Parents come before their children.
		if (a > b) {
			a = rig->joints[a].parent;
		} else {
			b = rig->joints[b].parent;
		}
	}
	return a;
}

void humanoid_assign(struct humanoid_search *search, enum humanoid_role role, int joint,
	enum humanoid_found found) {
	struct humanoid *humanoid = search->humanoid;
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		if (joint >= 0 && humanoid->joints[i] == joint) {
			return;
		}
	}
	if (joint >= 0) {
		humanoid->joints[role] = joint;
		humanoid->found[role] = found;
	}
}

/* Numbers the joints so that those below one follow it, and counts them and their levels. */
static void lay_out(struct humanoid_search *search) {
	const struct rig *rig = search->rig;
	int *next = search->next, roots = 0;
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		search->joints[i]++;
		if (parent >= 0) {
			search->joints[parent] += search->joints[i];
			if (search->below[parent] < search->below[i] + 1) {
				search->below[parent] = search->below[i] + 1;
			}
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		int *at = parent >= 0 ? &next[parent] : &roots;
		search->first[i] = *at;
		*at += search->joints[i];
		next[i] = search->first[i] + 1;
	}
}

/* Drops a limb that does not lie below the trunk's joint that carries it. */
static void drop_strays(struct humanoid_search *search, int first, int last, int trunk) {
	int *joints = search->humanoid->joints;
	for (int role = first; trunk >= 0 && role <= last; role++) {
		if (joints[role] >= 0 && !humanoid_is_under(search, joints[role], trunk)) {
			joints[role] = -1;
		}
	}
}

static void drop_stray_limbs(struct humanoid_search *search) {
	const int *joints = search->humanoid->joints;
	const int hips = joints[HUMANOID_HIPS];
	const int chest = joints[HUMANOID_CHEST] >= 0 ? joints[HUMANOID_CHEST] : hips;
	for (int shift = 0; shift <= HUMANOID_SIDE_ROLES; shift += HUMANOID_SIDE_ROLES) {
		drop_strays(
			search, HUMANOID_LEFT_SHOULDER + shift, HUMANOID_LEFT_HAND + shift, chest);
		drop_strays(
			search, HUMANOID_LEFT_UPPER_LEG + shift, HUMANOID_LEFT_TOES + shift, hips);
	}
}

static void find_places(struct humanoid_search *search, struct arena *scratch) {
	const struct rig *rig = search->rig;
	double(*world)[12] = arena_alloc(scratch, (size_t)rig->joint_count, sizeof *world);
	const struct pose rest = pose_rest(rig, scratch);
	pose_to_world(rig, &rest, world);
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < 3; k++) {
			search->place[i][k] = world[i][k * 4 + 3];
		}
	}
}

static void mark_moving(const struct rig *rig, bool *moving) {
	const bool some = rig->moving_joints && rig->moving_count > 0;
	for (int i = 0; i < (some ? rig->moving_count : rig->joint_count); i++) {
		moving[some ? rig->moving_joints[i] : i] = true;
	}
}

static void search_rig(struct humanoid_search *search) {
	humanoid_find_limbs(search);
	humanoid_find_shape(search);
	humanoid_find_trunk(search);
	drop_stray_limbs(search);
	humanoid_complete_limbs(search);
	humanoid_find_apart(search);
	humanoid_find_fingers(search);
}

void humanoid_find(const struct rig *rig, struct arena *scratch, struct humanoid *humanoid) {
	const size_t count = (size_t)rig->joint_count;
	struct humanoid_search search = {
		.rig = rig,
		.words = joint_words_of(rig, scratch),
		.skinned = arena_alloc(scratch, count, sizeof *search.skinned),
		.below = arena_alloc(scratch, count, sizeof *search.below),
		.first = arena_alloc(scratch, count, sizeof *search.first),
		.joints = arena_alloc(scratch, count, sizeof *search.joints),
		.next = arena_alloc(scratch, count, sizeof *search.next),
		.place = arena_alloc(scratch, count, sizeof *search.place),
		.moving = arena_alloc(scratch, count, sizeof *search.moving),
		.scratch = scratch,
		.humanoid = humanoid,
	};
	mark_moving(rig, search.moving);
	find_places(&search, scratch);
	skeleton_mark_skinned(rig, search.skinned);
	lay_out(&search);
	*humanoid = (struct humanoid){.found = {HUMANOID_ABSENT}};
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		humanoid->joints[i] = -1;
	}
	if (!humanoid_take_avatar(&search)) {
		search_rig(&search);
	}
	humanoid_judge(&search);
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		humanoid->found[i] = humanoid->joints[i] < 0 ? HUMANOID_ABSENT : humanoid->found[i];
	}
}

bool humanoid_is_whole(const struct humanoid *humanoid) {
	static const enum humanoid_role needed[] = {HUMANOID_LEFT_UPPER_ARM,
		HUMANOID_LEFT_LOWER_ARM, HUMANOID_LEFT_HAND, HUMANOID_LEFT_UPPER_LEG,
		HUMANOID_LEFT_LOWER_LEG, HUMANOID_LEFT_FOOT};
	bool whole = humanoid->joints[HUMANOID_HIPS] >= 0;
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const int right = (int)needed[i] + HUMANOID_SIDE_ROLES;
		whole = whole && humanoid->joints[needed[i]] >= 0 && humanoid->joints[right] >= 0 &&
			!humanoid->apart[needed[i]] && !humanoid->apart[right];
	}
	return whole;
}

const char *humanoid_role_name(enum humanoid_role role) {
	static const char *const names[HUMANOID_ROLE_COUNT] = {"hips", "spine", "chest", "neck",
		"head", "left_shoulder", "left_upper_arm", "left_lower_arm", "left_hand",
		"left_upper_leg", "left_lower_leg", "left_foot", "left_toes", "left_thumb_1",
		"left_thumb_2", "left_thumb_3", "left_index_1", "left_index_2", "left_index_3",
		"left_middle_1", "left_middle_2", "left_middle_3", "left_ring_1", "left_ring_2",
		"left_ring_3", "left_little_1", "left_little_2", "left_little_3", "right_shoulder",
		"right_upper_arm", "right_lower_arm", "right_hand", "right_upper_leg",
		"right_lower_leg", "right_foot", "right_toes", "right_thumb_1", "right_thumb_2",
		"right_thumb_3", "right_index_1", "right_index_2", "right_index_3",
		"right_middle_1", "right_middle_2", "right_middle_3", "right_ring_1",
		"right_ring_2", "right_ring_3", "right_little_1", "right_little_2",
		"right_little_3"};
	return names[role];
}
