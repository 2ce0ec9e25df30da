// Hands and feet that do not lie below their limbs: inverse kinematics brings them there.
#include <math.h>

#include "base/vec.h"
#include "pose/humanoid/humanoid_branches.h"

/* A hand or foot is from the elbow or knee as far as the other bone is long, within these factors,
 * and, where its name does not tell it, about where that points. */
#define NEAREST 0.4
#define FARTHEST 2.5
#define COSINE_MIN 0.6

/* Penalties of a joint that is found only by its position, and of one that no skin uses. */
#define LOSS_UNNAMED 50
#define LOSS_UNSKINNED 100

/* A limb that lacks its end. */
struct stump {
	enum humanoid_role end;
	enum side side;
	int upper, lower;
};

static bool has_role(const struct humanoid *humanoid, int joint) {
	bool has = false;
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		has = has || humanoid->joints[i] == joint;
	}
	return has;
}

/* The penalty of a joint's name for a side and role; negative if it does not fit at all. */
static double loss_of_name(
	const struct humanoid_search *search, const struct stump *stump, int joint) {
	const struct joint_words *words = &search->words[joint];
	const int shift = stump->side == SIDE_RIGHT ? HUMANOID_SIDE_ROLES : 0;
	const enum humanoid_role role = (enum humanoid_role)((int)stump->end - shift);
	const int named = humanoid_alias_rank(role, words);
	const int loose = named < 0 ? humanoid_loose_rank(role, words) : -1;
	if (words->side == stump->side && (named >= 0 || loose >= 0)) {
		return named >= 0 ? named : loose + HUMANOID_LOOSE_LOSS;
	}
	const bool may_be = words->side == stump->side || words->side == SIDE_NONE;
	return may_be && search->moving[joint] ? LOSS_UNNAMED : -1;
}

/* The penalty of a joint as the end of a limb; negative if it does not fit at all. */
static double loss_of(const struct humanoid_search *search, const struct stump *stump, int joint) {
	if (humanoid_is_end(search->words[joint].text) || has_role(search->humanoid, joint) ||
		humanoid_is_under(search, stump->lower, joint) ||
		humanoid_is_under(search, joint, stump->upper)) {
		return -1;
	}
	double above[3], below[3];
	const double length = humanoid_way(search, stump->upper, stump->lower, above);
	const double way = humanoid_way(search, stump->lower, joint, below);
	if (way < NEAREST * length || way > FARTHEST * length) {
		return -1;
	}
	const double loss = loss_of_name(search, stump, joint);
	if (loss >= LOSS_UNNAMED && vec3_dot(above, below) < COSINE_MIN * length * way) {
		return -1;
	}
	return loss < 0 ? -1 : loss + way / length + (search->skinned[joint] ? 0 : LOSS_UNSKINNED);
}

static int find_end(
	const struct humanoid_search *search, const struct stump *stump, double *least) {
	int best = -1;
	*least = INFINITY;
	for (int i = 0; i < search->rig->joint_count; i++) {
		const double loss = loss_of(search, stump, i);
		if (loss >= 0 && loss < *least) {
			*least = loss;
			best = i;
		}
	}
	return best;
}

/* Sets a limb whose upper and lower joints are known and whose end is not. */
static bool find_stump(const struct humanoid_search *search, enum humanoid_role end, enum side side,
	struct stump *stump) {
	const int *joints = search->humanoid->joints;
	const int role = (int)end + (side == SIDE_RIGHT ? HUMANOID_SIDE_ROLES : 0);
	*stump = (struct stump){(enum humanoid_role)role, side, joints[role - 2], joints[role - 1]};
	return joints[role] < 0 && stump->upper >= 0 && stump->lower >= 0;
}

/* The toes, which lie below a foot wherever that is. */
static void find_toes(struct humanoid_search *search, enum humanoid_role foot) {
	int toes = -1;
	const int joint = search->humanoid->joints[foot];
	for (int i = joint + 1; i < search->rig->joint_count && toes < 0; i++) {
		const bool named = humanoid_alias_rank(HUMANOID_LEFT_TOES, &search->words[i]) >= 0;
		toes = named && humanoid_is_under(search, i, joint) ? i : -1;
	}
	humanoid_assign(search, (enum humanoid_role)(foot + 1), toes, HUMANOID_BY_NAME);
}

static void find_ends(struct humanoid_search *search, enum humanoid_role end) {
	struct stump stumps[2];
	int joints[2];
	double loss[2];
	if (!find_stump(search, end, SIDE_LEFT, &stumps[0]) ||
		!find_stump(search, end, SIDE_RIGHT, &stumps[1])) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		joints[i] = find_end(search, &stumps[i], &loss[i]);
	}
	if (joints[0] < 0 || joints[1] < 0 || joints[0] == joints[1]) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		const bool named = fmod(loss[i], LOSS_UNSKINNED) < LOSS_UNNAMED;
		const enum humanoid_role role = stumps[i].end;
		humanoid_assign(
			search, role, joints[i], named ? HUMANOID_BY_NAME : HUMANOID_BY_SHAPE);
		search->humanoid->apart[role] = true;
		search->humanoid->confidence[role] = named ? 0.9 : 0.5;
		if (end == HUMANOID_LEFT_FOOT) {
			find_toes(search, role);
		}
	}
}

void humanoid_find_apart(struct humanoid_search *search) {
	if (search->humanoid->joints[HUMANOID_HIPS] >= 0) {
		find_ends(search, HUMANOID_LEFT_HAND);
		find_ends(search, HUMANOID_LEFT_FOOT);
	}
}
