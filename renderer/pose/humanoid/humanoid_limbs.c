// Arms and legs of a humanoid.
#include <string.h>

#include "pose/humanoid/humanoid_internal.h"

#define LIMB_JOINTS 4
#define CANDIDATES_MAX 8

/* The value of a name: more than any rank, and more for the joints that bend than for those that
 * some rigs omit. A joint that no skin uses is the second choice. */
#define WORTH_NEEDED 40
#define WORTH_OPTIONAL 15
#define LOSS_UNSKINNED 12

/* A limb from the trunk outwards. */
struct limb {
	enum humanoid_role roles[LIMB_JOINTS]; // of the left side
	int worth[LIMB_JOINTS];
};

static const struct limb arm = {
	{HUMANOID_LEFT_SHOULDER, HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_LOWER_ARM,
		HUMANOID_LEFT_HAND},
	{WORTH_OPTIONAL, WORTH_NEEDED, WORTH_NEEDED, WORTH_NEEDED},
};

static const struct limb leg = {
	{HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_LOWER_LEG, HUMANOID_LEFT_FOOT, HUMANOID_LEFT_TOES},
	{WORTH_NEEDED, WORTH_NEEDED, WORTH_NEEDED, WORTH_OPTIONAL},
};

struct candidate {
	int joint, worth;
};

/* A choice of joints for one limb that lie below one another. */
struct choice {
	const struct humanoid_search *search;
	struct candidate candidates[LIMB_JOINTS][CANDIDATES_MAX];
	int counts[LIMB_JOINTS];
	int joints[LIMB_JOINTS]; // being tried
	int best[LIMB_JOINTS];
	int best_worth;
};

/* Those that a name tells, of a skin or not, by all of the name or some words of it. */
static void collect(struct choice *choice, const struct limb *limb, int part, enum side side,
	bool skinned, bool loose) {
	const struct humanoid_search *search = choice->search;
	for (int i = 0; i < search->rig->joint_count; i++) {
		const struct joint_words *words = &search->words[i];
		if (words->side != side || search->skinned[i] != skinned ||
			choice->counts[part] == CANDIDATES_MAX) {
			continue;
		}
		const int exact = humanoid_alias_rank(limb->roles[part], words);
		const int rank = !loose ? exact
			: exact < 0     ? humanoid_loose_rank(limb->roles[part], words)
					: -1;
		if (rank >= 0) {
			const int worth = limb->worth[part] - rank -
				(skinned ? 0 : LOSS_UNSKINNED) - (loose ? HUMANOID_LOOSE_LOSS : 0);
			choice->candidates[part][choice->counts[part]++] =
				(struct candidate){i, worth};
		}
	}
}

/* Tries every joint for a part and none, below the last one that was chosen. Of equal choices the
 * first one stays, whose joints are higher up. */
static void choose(struct choice *choice, int part, int above, int worth) {
	if (part == LIMB_JOINTS) {
		if (worth > choice->best_worth) {
			choice->best_worth = worth;
			memcpy(choice->best, choice->joints, sizeof choice->best);
		}
		return;
	}
	for (int i = 0; i < choice->counts[part]; i++) {
		const struct candidate *candidate = &choice->candidates[part][i];
		if (candidate->joint != above &&
			humanoid_is_under(choice->search, candidate->joint, above)) {
			choice->joints[part] = candidate->joint;
			choose(choice, part + 1, candidate->joint, worth + candidate->worth);
		}
	}
	choice->joints[part] = -1;
	choose(choice, part + 1, above, worth);
}

static enum humanoid_role role_of(const struct limb *limb, int part, enum side side) {
	const int shift = side == SIDE_RIGHT ? HUMANOID_SIDE_ROLES : 0;
	return (enum humanoid_role)((int)limb->roles[part] + shift);
}

/* True when a joint has one of some names, ended by NULL. */
static bool is_named(const struct humanoid_search *search, int joint, const char *const *names) {
	while (*names && strcmp(search->words[joint].text, *names) != 0) {
		names++;
	}
	return *names != NULL;
}

/* The highest joint between two with one of some names, else the lower of the two. */
static int highest_named(const struct humanoid_search *search, int high, int low, enum side side,
	const char *const *names) {
	int highest = low;
	for (int i = low; i >= 0 && i != high; i = search->rig->joints[i].parent) {
		if (search->words[i].side == side && is_named(search, i, names)) {
			highest = i;
		}
	}
	return highest;
}

/* Rigs that are named for their joints rather than for the bones after them call a foot "ankle"
 * and what the toes begin with "foot", and a hand "wrist" and the middle of it "hand". */
static void heed_joints(const struct humanoid_search *search, const struct limb *limb,
	int best[static LIMB_JOINTS]) {
	static const char *const elbow[] = {"elbow", NULL}, *const wrist[] = {"wrist", NULL};
	static const char *const ankle[] = {"ankle", NULL};
	static const char *const ball[] = {"foot", "ball", "toe", "toes", NULL};
	const bool is_arm = limb == &arm;
	const int lower = best[is_arm ? 2 : 1];
	int *end = &best[is_arm ? 3 : 2];
	if (lower < 0 || *end < 0) {
		return;
	}
	const enum side side = search->words[lower].side;
	if (is_arm) {
		*end = is_named(search, lower, elbow)
			? highest_named(search, lower, *end, side, wrist)
			: *end;
		return;
	}
	const int named = *end;
	*end = highest_named(search, lower, named, side, ankle);
	if (best[3] >= 0) {
		best[3] = highest_named(search, *end, best[3], side, ball);
	} else if (*end != named) {
		best[3] = highest_named(search, *end, named, side, ball);
	}
}

static void find_limb(struct humanoid_search *search, const struct limb *limb, enum side side) {
	struct choice choice = {.search = search, .best = {-1, -1, -1, -1}};
	for (int part = 0; part < LIMB_JOINTS; part++) {
		for (int i = 0; i < 4; i++) {
			collect(&choice, limb, part, side, i % 2 == 0, i >= 2);
		}
	}
	choose(&choice, 0, -1, 0);
	heed_joints(search, limb, choice.best);
	for (int part = 0; part < LIMB_JOINTS; part++) {
		humanoid_assign(
			search, role_of(limb, part, side), choice.best[part], HUMANOID_BY_NAME);
	}
}

void humanoid_find_limbs(struct humanoid_search *search) {
	for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
		find_limb(search, &arm, side);
		find_limb(search, &leg, side);
	}
}

/* The joint half way between two that lie below one another; -1 where there is none between. */
static int half_way(const struct rig *rig, int low, int high) {
	int between = 0;
	for (int i = rig->joints[low].parent; i != high; i = rig->joints[i].parent) {
		between++;
	}
	int joint = low;
	for (int i = 0; i < between / 2 + 1; i++) {
		joint = rig->joints[joint].parent;
	}
	return between > 0 ? joint : -1;
}

/* The child that a chain goes on with: the one with the longest line of joints below it. */
static int next_of(const struct humanoid_search *search, int joint) {
	int next = -1;
	for (int i = joint + 1; i < search->rig->joint_count; i++) {
		if (search->rig->joints[i].parent == joint &&
			!humanoid_is_end(search->words[i].text) &&
			(next < 0 || search->below[i] > search->below[next])) {
			next = i;
		}
	}
	return next;
}

/* The joint above, if it belongs to the limb: it lies below the trunk's and on the limb's side, or
 * on none. */
static int previous_of(const struct humanoid_search *search, int joint, int trunk, enum side side) {
	const int parent = search->rig->joints[joint].parent;
	if (trunk < 0 || parent < 0 || parent == trunk ||
		!humanoid_is_under(search, parent, trunk)) {
		return -1;
	}
	return search->words[parent].side == side ? parent : -1;
}

/* Gives the roles that are missing between the limb's joints, after and before them. */
static void complete_limb(
	struct humanoid_search *search, const struct limb *limb, enum side side, int trunk) {
	int *joints = search->humanoid->joints;
	int above = -1;
	for (int part = 0; part < LIMB_JOINTS; part++) {
		const enum humanoid_role role = role_of(limb, part, side);
		if (joints[role] < 0 && above >= 0) {
			const int next =
				part + 1 < LIMB_JOINTS ? joints[role_of(limb, part + 1, side)] : -1;
			humanoid_assign(search, role,
				next >= 0 ? half_way(search->rig, next, above)
					  : next_of(search, above),
				HUMANOID_BY_PLACE);
		}
		above = joints[role];
	}
	for (int part = LIMB_JOINTS - 1; part-- > 0;) {
		const int next = joints[role_of(limb, part + 1, side)];
		const enum humanoid_role role = role_of(limb, part, side);
		if (joints[role] < 0 && next >= 0) {
			humanoid_assign(search, role, previous_of(search, next, trunk, side),
				HUMANOID_BY_PLACE);
		}
	}
}

void humanoid_complete_limbs(struct humanoid_search *search) {
	const int *joints = search->humanoid->joints;
	const int hips = joints[HUMANOID_HIPS];
	const int chest = joints[HUMANOID_CHEST] >= 0 ? joints[HUMANOID_CHEST] : hips;
	for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
		complete_limb(search, &arm, side, chest);
		complete_limb(search, &leg, side, hips);
	}
}
