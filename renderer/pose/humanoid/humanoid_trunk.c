// Hips, spine, chest, neck and head of a humanoid.
#include "base/vec.h"
#include "pose/humanoid/humanoid_internal.h"

/* The joint of a side's limb nearest to the trunk. */
static int top_of(const struct humanoid_search *search, enum side side, int first, int last) {
	const int shift = side == SIDE_RIGHT ? HUMANOID_SIDE_ROLES : 0;
	for (int role = first; role <= last; role++) {
		const int joint = search->humanoid->joints[role + shift];
		if (joint >= 0) {
			return joint;
		}
	}
	return -1;
}

static int top_of_arm(const struct humanoid_search *search, enum side side) {
	return top_of(search, side, HUMANOID_LEFT_SHOULDER, HUMANOID_LEFT_HAND);
}

static int top_of_leg(const struct humanoid_search *search, enum side side) {
	return top_of(search, side, HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_FOOT);
}

/* True when a joint can be what a role's name tells: of no side, at or below one joint and at or
 * above another; -1 = no matter. */
static int rank_of(const struct humanoid_search *search, enum humanoid_role role, int joint,
	int above, int below) {
	const bool fits = search->words[joint].side == SIDE_NONE &&
		humanoid_is_under(search, joint, above) &&
		(below < 0 || humanoid_is_under(search, below, joint));
	if (!fits) {
		return -1;
	}
	const int exact = humanoid_alias_rank(role, &search->words[joint]);
	const int loose = exact < 0 ? humanoid_loose_rank(role, &search->words[joint]) : -1;
	return loose >= 0 ? loose + HUMANOID_LOOSE_LOSS : exact;
}

/* The joint that a role's names name best, the highest of equals, or the lowest. */
static int find_named(const struct humanoid_search *search, enum humanoid_role role, int above,
	int below, bool lowest) {
	int best = -1, best_loss = 0;
	for (int i = 0; i < search->rig->joint_count; i++) {
		const int rank = rank_of(search, role, i, above, below);
		const int loss = rank + (search->skinned[i] ? 0 : 100);
		if (rank >= 0 && (best < 0 || loss < best_loss || (lowest && loss == best_loss))) {
			best = i;
			best_loss = loss;
		}
	}
	return best;
}

static void forget_all(struct humanoid *humanoid) {
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		humanoid->joints[i] = -1;
		humanoid->found[i] = HUMANOID_ABSENT;
	}
}

/* The joint from which arms and legs, and the head if there is one, branch off: only its name can
 * make the hips of a joint that no skin uses. */
static void find_hips(struct humanoid_search *search) {
	const struct rig *rig = search->rig;
	const int legs =
		humanoid_common(rig, top_of_leg(search, SIDE_LEFT), top_of_leg(search, SIDE_RIGHT));
	const int arms =
		humanoid_common(rig, top_of_arm(search, SIDE_LEFT), top_of_arm(search, SIDE_RIGHT));
	const int fork = humanoid_common(rig, legs, arms);
	int hips = find_named(search, HUMANOID_HIPS, -1, fork, true);
	enum humanoid_found found = HUMANOID_BY_NAME;
	if (hips < 0 && legs >= 0 && fork >= 0 && search->skinned[fork]) {
		hips = fork;
		found = HUMANOID_BY_PLACE;
	}
	if (fork < 0) {
		forget_all(search->humanoid); // of limbs that are not of one body
	}
	humanoid_assign(search, HUMANOID_HIPS, hips, found);
}

/* Biped hangs the collar bones from the neck. */
static int below_neck(const struct humanoid_search *search, int joint) {
	while (joint >= 0 && humanoid_alias_rank(HUMANOID_NECK, &search->words[joint]) >= 0) {
		joint = search->rig->joints[joint].parent;
	}
	return joint;
}

static void find_chest(struct humanoid_search *search) {
	const struct rig *rig = search->rig;
	const int hips = search->humanoid->joints[HUMANOID_HIPS];
	const int left = top_of_arm(search, SIDE_LEFT), right = top_of_arm(search, SIDE_RIGHT);
	int chest = -1;
	enum humanoid_found found = HUMANOID_BY_NAME;
	if (left >= 0 && right >= 0) {
		chest = below_neck(search, humanoid_common(rig, left, right));
		if (chest >= 0 && humanoid_alias_rank(HUMANOID_CHEST, &search->words[chest]) < 0) {
			found = HUMANOID_BY_PLACE;
		}
	} else {
		chest = find_named(search, HUMANOID_CHEST, hips, -1, false);
	}
	if (chest != hips && humanoid_is_under(search, chest, hips)) {
		humanoid_assign(search, HUMANOID_CHEST, chest, found);
	}
}

/* The first joint on the way down from one to another, both left out; -1 = none. */
static int first_between(const struct rig *rig, int above, int below) {
	int first = -1;
	for (int i = rig->joints[below].parent; i >= 0 && i != above; i = rig->joints[i].parent) {
		first = i;
	}
	return first;
}

static void find_spine(struct humanoid_search *search) {
	const int *joints = search->humanoid->joints;
	const int hips = joints[HUMANOID_HIPS], chest = joints[HUMANOID_CHEST];
	if (hips < 0) {
		return;
	}
	const int first = chest >= 0 ? first_between(search->rig, hips, chest) : -1;
	const int below = chest >= 0 ? search->rig->joints[chest].parent : -1;
	const int named = chest >= 0 && first < 0
		? -1
		: find_named(search, HUMANOID_SPINE, first >= 0 ? first : hips, below, false);
	if (named >= 0 && named != hips) {
		humanoid_assign(search, HUMANOID_SPINE, named, HUMANOID_BY_NAME);
	} else {
		humanoid_assign(search, HUMANOID_SPINE, first, HUMANOID_BY_PLACE);
	}
}

/* The one child of no side that carries no limb: of several, that with the longest line below. */
static int central_child(const struct humanoid_search *search, int joint) {
	int found = -1;
	for (int i = joint + 1; joint >= 0 && i < search->rig->joint_count; i++) {
		const bool is_limb = humanoid_is_under(search, top_of_arm(search, SIDE_LEFT), i) ||
			humanoid_is_under(search, top_of_arm(search, SIDE_RIGHT), i);
		if (search->rig->joints[i].parent == joint && search->words[i].side == SIDE_NONE &&
			!is_limb && !humanoid_is_end(search->words[i].text) &&
			(found < 0 || search->below[i] > search->below[found])) {
			found = i;
		}
	}
	return found;
}

static double length_of(const struct humanoid_search *search, int from, int to) {
	double way[3];
	vec3_sub(search->place[to], search->place[from], way);
	return vec3_length(way);
}

/* The top of a head is farther from the neck than this, of the way from the hips to the neck, where
 * the head itself is nearer. */
#define TOP_MIN 0.4

/* Joints of a neck and head that are looked at. */
#define NECK_MAX 8

/* From the neck's first joint the last of a line without branches: what branches is the head, and
 * so is what a top hangs from. */
static int end_of_neck(const struct humanoid_search *search, int neck, double trunk_length) {
	int last = neck, before = -1, branches = 0;
	double length = 0;
	for (int i = 0; i < NECK_MAX && branches < 2; i++) {
		const int next = central_child(search, last);
		branches = 0;
		for (int k = last + 1; k < search->rig->joint_count; k++) {
			branches += search->rig->joints[k].parent == last &&
				!humanoid_is_end(search->words[k].text);
		}
		if (next < 0 || humanoid_is_worn(&search->words[next]) ||
			(branches > 1 && last != neck)) {
			break;
		}
		before = last;
		length += length_of(search, before, next);
		last = next;
	}
	const bool is_top = before >= 0 && before != neck && search->below[last] == 0 &&
		length_of(search, before, last) > length / 2 && length > trunk_length * TOP_MIN;
	return is_top ? before : last;
}

/* A head without a name: what the neck carries, or what the chest of a whole body does. */
static int place_head(const struct humanoid_search *search, int neck, int chest) {
	const bool has_body = top_of_leg(search, SIDE_LEFT) >= 0 &&
		top_of_arm(search, SIDE_LEFT) >= 0 && top_of_arm(search, SIDE_RIGHT) >= 0;
	const int first = neck >= 0 ? neck : has_body ? central_child(search, chest) : -1;
	const int hips = search->humanoid->joints[HUMANOID_HIPS];
	const double trunk = first >= 0 && hips >= 0 ? length_of(search, hips, first) : 0;
	const int head = first >= 0 ? end_of_neck(search, first, trunk) : -1;
	return head == neck ? -1 : head;
}

static void find_head(struct humanoid_search *search) {
	const int *joints = search->humanoid->joints;
	const int chest = joints[HUMANOID_CHEST];
	const int trunk = chest >= 0 ? chest : joints[HUMANOID_HIPS];
	const bool is_body = trunk >= 0;
	const int head = is_body ? find_named(search, HUMANOID_HEAD, trunk, -1, false) : -1;
	const int neck = is_body ? find_named(search, HUMANOID_NECK, trunk, head, false) : -1;
	if (head >= 0) {
		humanoid_assign(search, HUMANOID_HEAD, head, HUMANOID_BY_NAME);
	} else {
		humanoid_assign(
			search, HUMANOID_HEAD, place_head(search, neck, trunk), HUMANOID_BY_PLACE);
	}
	if (neck >= 0) {
		humanoid_assign(search, HUMANOID_NECK, neck, HUMANOID_BY_NAME);
	} else if (chest >= 0 && joints[HUMANOID_HEAD] >= 0) {
		humanoid_assign(search, HUMANOID_NECK,
			first_between(search->rig, chest, joints[HUMANOID_HEAD]),
			HUMANOID_BY_PLACE);
	}
}

void humanoid_find_trunk(struct humanoid_search *search) {
	find_hips(search);
	find_chest(search);
	find_spine(search);
	find_head(search);
}
