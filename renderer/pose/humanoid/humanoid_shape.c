// Limbs of a humanoid by the shape of its rest pose: two pairs of branches that mirror one another.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/humanoid/humanoid_branches.h"

#define PAIRS_MAX 32

/* A body is upright whose chest lies above its hips, and above the feet by more than half its own
 * height. */
#define UPRIGHT_COSINE 0.5
#define LEG_MIN 0.5

/* Both pairs have about the same left. */
#define SIDES_COSINE 0.9

/* Parts that hang from the head reach farther than arms may, but branch off later. */
#define ARM_MIN 0.35

/* Another pair of branches at the same joint may be the limbs if it reaches nearly as far. */
#define RIVAL_REACH 0.6

/* The minimum distance of joints from the middle, relative to the limb's length, to show the
 * front. */
#define FRONT_MIN 0.02

#define CONFIDENCE 0.7
#define CONFIDENCE_RIVALS 0.4
/* The confidence if only glTF's convention, +Z, shows the front. */
#define CONFIDENCE_FRONT 0.6

/* Of a hand that is not where fingers branch off. */
#define COST_NO_FINGERS 0.6

/* The result: both pairs, and the front of the body. */
struct body {
	const struct branches *legs, *arms;
	double up[3];
	double confidence;
};

/* The joints of one limb: before is -1 where nothing is, end as well. */
struct fit {
	int before, upper, lower, end, after;
	double cost;
};

static double leg_drop(const struct humanoid_search *search, const struct branches *legs,
	const double up[static 3]) {
	double drop = 0;
	for (int side = 0; side < 2; side++) {
		double most = 0, way[3];
		for (int i = 0; i < legs->sides[side].count; i++) {
			humanoid_way(search, legs->sides[side].joints[i], legs->fork, way);
			most = fmax(most, vec3_dot(way, up));
		}
		drop += most / 2;
	}
	return drop;
}

static bool holds(const struct humanoid_search *search, const struct branches *pair, int joint) {
	return humanoid_is_under(search, joint, pair->sides[0].joints[0]) ||
		humanoid_is_under(search, joint, pair->sides[1].joints[0]);
}

/* True when two pairs can be the legs and the arms of an upright body; up is set. */
static bool is_body(const struct humanoid_search *search, const struct branches *legs,
	const struct branches *arms, double up[static 3]) {
	const double height = humanoid_way(search, legs->fork, arms->fork, up);
	if (legs->fork == arms->fork || holds(search, legs, arms->fork) ||
		holds(search, arms, legs->fork) || !vec3_normalize(up) || up[1] < UPRIGHT_COSINE ||
		fabs(vec3_dot(legs->across, arms->across)) < SIDES_COSINE) {
		return false;
	}
	return leg_drop(search, legs, up) >= LEG_MIN * height && arms->reach >= ARM_MIN * height &&
		legs->sides[0].count >= 2 && legs->sides[1].count >= 2 &&
		arms->sides[0].count >= 2 && arms->sides[1].count >= 2;
}

static int depth_of(const struct rig *rig, int joint) {
	int depth = 0;
	for (; joint >= 0; joint = rig->joints[joint].parent) {
		depth++;
	}
	return depth;
}

/* Of two pairs above the same legs, whether the first is more likely the arms: it branches off
 * earlier or, from the same joint, reaches farther. */
static bool are_arms(const struct rig *rig, const struct branches *a, const struct branches *b) {
	const int depths[2] = {depth_of(rig, a->fork), depth_of(rig, b->fork)};
	return depths[0] != depths[1] ? depths[0] < depths[1] : a->reach > b->reach;
}

static bool find_body(const struct humanoid_search *search, const struct branches *pairs, int count,
	struct body *body) {
	double best = 0;
	*body = (struct body){.confidence = CONFIDENCE};
	for (int l = 0; l < count; l++) {
		for (int a = 0; a < count; a++) {
			double up[3];
			if (a == l || !is_body(search, &pairs[l], &pairs[a], up)) {
				continue;
			}
			const double drop = leg_drop(search, &pairs[l], up);
			const bool same = body->legs == &pairs[l];
			if (same ? are_arms(search->rig, &pairs[a], body->arms) : drop > best) {
				best = drop;
				body->legs = &pairs[l];
				body->arms = &pairs[a];
				memcpy(body->up, up, sizeof up);
			}
		}
	}
	for (int i = 0; i < count && body->legs; i++) {
		const struct branches *ours =
			pairs[i].fork == body->arms->fork ? body->arms : body->legs;
		if (pairs[i].fork == ours->fork && &pairs[i] != ours &&
			pairs[i].reach > RIVAL_REACH * ours->reach) {
			body->confidence = CONFIDENCE_RIVALS;
		}
	}
	return body->legs != NULL;
}

/* The length of a chain between two of its joints, along its bones. */
static double length_of(
	const struct humanoid_search *search, const struct chain *chain, int from, int to) {
	double length = 0, way[3];
	for (int i = from; i < to; i++) {
		length += humanoid_way(search, chain->joints[i], chain->joints[i + 1], way);
	}
	return length;
}

/* The number of a joint's children that have children: the fingers of a hand. */
static int count_fingers(const struct humanoid_search *search, int joint) {
	int count = 0;
	const int last = search->first[joint] + search->joints[joint];
	for (int i = joint + 1; i < search->rig->joint_count && search->joints[joint] > 2; i++) {
		const bool below =
			search->first[i] < last && search->first[i] > search->first[joint];
		count += below && search->rig->joints[i].parent == joint && search->below[i] > 0;
	}
	return count;
}

/* The first place in an arm's chain after the elbow from which fingers branch off; -1 = none. */
static int find_hand(const struct humanoid_search *search, const struct chain *chain) {
	for (int i = 2; i < chain->count; i++) {
		if (count_fingers(search, chain->joints[i]) >= 2) {
			return i;
		}
	}
	return -1;
}

/* The penalty of a chain whose joints would be the upper, the lower and the end of a limb: for
 * bones of different lengths, for joints left out, and for many before and after. */
static double cost_of(const struct humanoid_search *search, const struct chain *chain, bool is_arm,
	const int parts[static 3]) {
	const double upper = length_of(search, chain, parts[0], parts[1]);
	const double lower = length_of(search, chain, parts[1], parts[2]);
	if (upper <= 0 || lower <= 0) {
		return INFINITY;
	}
	const double before = length_of(search, chain, 0, parts[0]) / (upper + lower);
	const double after = length_of(search, chain, parts[2], chain->count - 1) / (upper + lower);
	const int skipped = parts[2] - parts[0] - 2;
	const int ahead = parts[0] - (is_arm ? 1 : 0);
	const int behind = chain->count - 1 - parts[2] - (is_arm ? 4 : 2);
	const double ratio = log(upper / lower);
	return ratio * ratio + 0.3 * skipped + (ahead > 0 ? 0.3 * ahead : 0) +
		(behind > 0 ? 0.15 * behind : 0) + fmax(before - 0.4, 0) * 2 +
		fmax(after - 0.5, 0) * 2;
}

static struct fit fit_limb(
	const struct humanoid_search *search, const struct chain *chain, bool is_arm) {
	struct fit fit = {-1, -1, -1, -1, -1, INFINITY};
	if (chain->count == 2) {
		return (struct fit){-1, chain->joints[0], chain->joints[1], -1, -1, 0};
	}
	const int hand = is_arm ? find_hand(search, chain) : -1;
	for (int upper = 0; upper < chain->count; upper++) {
		for (int lower = upper + 1; lower < chain->count; lower++) {
			for (int end = lower + 1; end < chain->count; end++) {
				const int parts[3] = {upper, lower, end};
				const double cost = cost_of(search, chain, is_arm, parts) +
					(hand >= 0 && end != hand ? COST_NO_FINGERS : 0);
				if (cost < fit.cost) {
					const bool more = end + 1 < chain->count;
					fit = (struct fit){
						upper > 0 ? chain->joints[0] : -1,
						chain->joints[upper],
						chain->joints[lower],
						chain->joints[end],
						more ? chain->joints[end + 1] : -1,
						cost,
					};
				}
			}
		}
	}
	return fit;
}

/* Adds what lies to the front of a leg: where its toes point, and where its knee is beside the line
 * from hip to ankle. */
static void add_front(const struct humanoid_search *search, const struct body *body,
	const struct fit *leg, double toes[static 3], double knees[static 3]) {
	double way[3], line[3];
	if (leg->end < 0) {
		return;
	}
	if (leg->after >= 0) {
		humanoid_way(search, leg->end, leg->after, way);
		const double rise = vec3_dot(way, body->up);
		const double aside = vec3_dot(way, body->legs->across);
		for (int k = 0; k < 3; k++) {
			toes[k] += way[k] - rise * body->up[k] - aside * body->legs->across[k];
		}
	}
	humanoid_way(search, leg->upper, leg->end, line);
	if (vec3_normalize(line)) {
		humanoid_way(search, leg->upper, leg->lower, way);
		const double along = vec3_dot(way, line);
		for (int k = 0; k < 3; k++) {
			knees[k] += way[k] - along * line[k];
		}
	}
}

/* True when the legs' first side is the left one: as names say, else as toes and then knees point,
 * else as glTF has it. */
static bool first_is_left(
	const struct humanoid_search *search, struct body *body, const struct fit legs[static 2]) {
	int votes = 0;
	for (int side = 0; side < 2; side++) {
		const struct chain *chain = &body->legs->sides[side];
		for (int i = 0; i < chain->count; i++) {
			const enum side named = search->words[chain->joints[i]].side;
			votes += named == SIDE_NONE                   ? 0
				: (named == SIDE_LEFT) == (side == 0) ? 1
								      : -1;
		}
	}
	if (votes != 0) {
		return votes > 0;
	}
	double toes[3] = {0}, knees[3] = {0}, left[3];
	for (int side = 0; side < 2; side++) {
		add_front(search, body, &legs[side], toes, knees);
	}
	const double least = FRONT_MIN * body->legs->reach;
	const double *front = vec3_length(toes) > least ? toes : knees;
	const double axis[3] = {0, 0, 1};
	if (vec3_length(front) <= least) {
		front = axis;
		body->confidence = fmin(body->confidence, CONFIDENCE_FRONT);
	}
	vec3_cross(body->up, front, left);
	return vec3_dot(left, body->legs->across) > 0;
}

/* Gives a limb's joints their roles, unless names have given them to it. */
static void assign_limb(struct humanoid_search *search, const struct fit *fit, bool is_arm,
	enum side side, double confidence) {
	struct humanoid *humanoid = search->humanoid;
	const int shift = side == SIDE_RIGHT ? HUMANOID_SIDE_ROLES : 0;
	const int first = (is_arm ? HUMANOID_LEFT_SHOULDER : HUMANOID_LEFT_UPPER_LEG) + shift;
	const int upper = is_arm ? first + 1 : first;
	if ((humanoid->joints[upper] >= 0 && humanoid->joints[upper + 1] >= 0) || fit->upper < 0) {
		return;
	}
	const int joints[4] = {is_arm ? fit->before : fit->upper, is_arm ? fit->upper : fit->lower,
		is_arm ? fit->lower : fit->end, is_arm ? fit->end : fit->after};
	for (int i = 0; i < 4; i++) {
		humanoid->joints[first + i] = -1;
	}
	for (int i = 0; i < 4; i++) {
		const enum humanoid_role role = (enum humanoid_role)(first + i);
		humanoid_assign(search, role, joints[i], HUMANOID_BY_SHAPE);
		humanoid->confidence[role] = confidence;
	}
	const int top = fit->before >= 0 ? fit->before : fit->upper;
	for (int i = 0; i < search->rig->joint_count; i++) {
		if (humanoid_is_under(search, i, top)) {
			search->words[i].side = side;
		}
	}
}

static bool is_named(const struct humanoid *humanoid) {
	static const enum humanoid_role needed[] = {HUMANOID_LEFT_UPPER_ARM,
		HUMANOID_LEFT_LOWER_ARM, HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_LOWER_LEG};
	bool named = true;
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		named = named && humanoid->joints[needed[i]] >= 0 &&
			humanoid->joints[needed[i] + HUMANOID_SIDE_ROLES] >= 0;
	}
	return named;
}

void humanoid_find_shape(struct humanoid_search *search) {
	struct body body;
	if (is_named(search->humanoid)) {
		return;
	}
	struct branches *pairs = arena_alloc(search->scratch, PAIRS_MAX, sizeof *pairs);
	const int count = humanoid_find_branches(search, pairs, PAIRS_MAX);
	if (!find_body(search, pairs, count, &body)) {
		return;
	}
	struct fit legs[2], arms[2];
	for (int side = 0; side < 2; side++) {
		legs[side] = fit_limb(search, &body.legs->sides[side], false);
		arms[side] = fit_limb(search, &body.arms->sides[side], true);
	}
	const bool first = first_is_left(search, &body, legs);
	const bool same = vec3_dot(body.legs->across, body.arms->across) > 0;
	for (int side = 0; side < 2; side++) {
		const enum side to = (side == 0) == first ? SIDE_LEFT : SIDE_RIGHT;
		const enum side arm = (side == 0) == (first == same) ? SIDE_LEFT : SIDE_RIGHT;
		assign_limb(search, &legs[side], false, to, body.confidence);
		assign_limb(search, &arms[side], true, arm, body.confidence);
	}
}
