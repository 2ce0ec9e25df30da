// The confidence in the joints that were found.
#include <math.h>

#include "base/vec.h"
#include "pose/humanoid/humanoid_branches.h"

#define CONFIDENCE_LOOSE 0.85 // by some words of its name
#define CONFIDENCE_PLACE 0.8  // between or after joints that have names
#define CONFIDENCE_SHAPE 0.7
#define CONFIDENCE_TRUNK 0.6 // between limbs that the shape tells

/* The confidence that remains if the rest pose contradicts: if one bone of a limb is this much
 * longer than another, or joints of the left lie to the right of those of the right. */
#define RATIO_MAX 3
#define FACTOR_RATIO 0.6
#define FACTOR_CROSSED 0.5

static double confidence_by(const struct humanoid_search *search, int role, int joint) {
	const enum humanoid_found *found = search->humanoid->found;
	const bool by_shape = found[HUMANOID_LEFT_UPPER_LEG] == HUMANOID_BY_SHAPE ||
		found[HUMANOID_LEFT_UPPER_ARM] == HUMANOID_BY_SHAPE;
	const int left = role >= HUMANOID_RIGHT_SHOULDER ? role - HUMANOID_SIDE_ROLES : role;
	const bool exact =
		humanoid_alias_rank((enum humanoid_role)left, &search->words[joint]) >= 0 ||
		humanoid_finger(&search->words[joint]) >= 0;
	switch (found[role]) {
	case HUMANOID_BY_NAME:
		return exact ? 1 : CONFIDENCE_LOOSE;
	case HUMANOID_BY_PLACE:
		return by_shape ? CONFIDENCE_TRUNK : CONFIDENCE_PLACE;
	case HUMANOID_BY_SHAPE:
		return CONFIDENCE_SHAPE;
	case HUMANOID_ABSENT:
		break;
	}
	return 0;
}

/* Takes off where a limb's bones are too different. */
static void judge_limb(const struct humanoid_search *search, int upper) {
	struct humanoid *humanoid = search->humanoid;
	const int *joints = humanoid->joints + upper;
	double way[3];
	if (joints[0] < 0 || joints[1] < 0 || joints[2] < 0) {
		return;
	}
	const double bones[2] = {humanoid_way(search, joints[0], joints[1], way),
		humanoid_way(search, joints[1], joints[2], way)};
	if (fmax(bones[0], bones[1]) > RATIO_MAX * fmin(bones[0], bones[1])) {
		for (int i = 0; i < 3; i++) {
			humanoid->confidence[upper + i] *= FACTOR_RATIO;
		}
	}
}

/* Takes off where a side's joints are on the other side of the body. */
static void judge_sides(const struct humanoid_search *search) {
	struct humanoid *humanoid = search->humanoid;
	const int *joints = humanoid->joints;
	double across[3], way[3];
	const int hips[2] = {joints[HUMANOID_RIGHT_UPPER_LEG], joints[HUMANOID_LEFT_UPPER_LEG]};
	if (hips[0] < 0 || hips[1] < 0 || humanoid_way(search, hips[0], hips[1], across) <= 0) {
		return;
	}
	for (int role = HUMANOID_LEFT_SHOULDER; role <= HUMANOID_LEFT_TOES; role++) {
		const int left = joints[role], right = joints[role + HUMANOID_SIDE_ROLES];
		if (left < 0 || right < 0) {
			continue;
		}
		humanoid_way(search, right, left, way);
		if (vec3_dot(way, across) < 0) {
			humanoid->confidence[role] *= FACTOR_CROSSED;
			humanoid->confidence[role + HUMANOID_SIDE_ROLES] *= FACTOR_CROSSED;
		}
	}
}

static void add_way(const struct humanoid_search *search, int from, int to, double sum[static 3]) {
	double way[3];
	humanoid_way(search, from, to, way);
	for (int k = 0; k < 3; k++) {
		sum[k] += way[k];
	}
}

static double posture_of(const struct humanoid_search *search) {
	double thighs[3] = {0}, trunk[3] = {0};
	for (int shift = 0; shift <= HUMANOID_SIDE_ROLES; shift += HUMANOID_SIDE_ROLES) {
		const int *joints = search->humanoid->joints + shift;
		const int leg = joints[HUMANOID_LEFT_UPPER_LEG];
		if (leg < 0 || joints[HUMANOID_LEFT_LOWER_LEG] < 0 ||
			joints[HUMANOID_LEFT_UPPER_ARM] < 0) {
			return 1;
		}
		add_way(search, leg, joints[HUMANOID_LEFT_LOWER_LEG], thighs);
		add_way(search, leg, joints[HUMANOID_LEFT_UPPER_ARM], trunk);
	}
	return vec3_normalize(thighs) && vec3_normalize(trunk) ? vec3_dot(thighs, trunk) : 1;
}

void humanoid_judge(struct humanoid_search *search) {
	struct humanoid *humanoid = search->humanoid;
	for (int role = 0; role < HUMANOID_ROLE_COUNT; role++) {
		const int joint = humanoid->joints[role];
		if (joint < 0) {
			humanoid->confidence[role] = 0;
			humanoid->apart[role] = false;
		} else if (humanoid->confidence[role] <= 0) {
			humanoid->confidence[role] = confidence_by(search, role, joint);
		}
	}
	for (int shift = 0; shift <= HUMANOID_SIDE_ROLES; shift += HUMANOID_SIDE_ROLES) {
		judge_limb(search, HUMANOID_LEFT_UPPER_ARM + shift);
		judge_limb(search, HUMANOID_LEFT_UPPER_LEG + shift);
	}
	judge_sides(search);
	humanoid->posture_cosine = posture_of(search);
}
