// Pairs of branches of a hierarchy that mirror one another in the rest pose.
#include "pose/humanoid/humanoid_branches.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* Of one joint that are compared with one another. */
#define BRANCHES_MAX 12

/* Bones that mirror one another differ by less of the branch's reach; between the two sides they
 * have directions with at least this cosine, and at least this distance of the reach. */
#define MIRROR_LENGTH 0.2
#define MIRROR_COSINE 0.9
#define MIRROR_WIDTH 0.02

/* Limbs reach at least so far, of the extent of all joints. */
#define REACH_MIN 0.12

struct joint_tree {
	const struct humanoid_search *search;
	double *reach; // [joint_count] of the longest way below a joint
	int *main;     // [joint_count] the child that this way goes to; -1 = none
	int *child;    // [joint_count] the last child; -1 = none
	int *sibling;  // [joint_count] the one before it; -1 = none
	double min_reach;
};

double humanoid_way(const struct humanoid_search *search, int from, int to, double way[static 3]) {
	vec3_sub(search->place[to], search->place[from], way);
	return vec3_length(way);
}

static int *make_links(const struct humanoid_search *search) {
	const size_t size = (size_t)search->rig->joint_count * sizeof(int);
	return memset(arena_alloc(search->scratch, size, 1), -1, size);
}

static bool is_body(const struct humanoid_search *search, int joint) {
	return !humanoid_is_end(search->words[joint].text) &&
		!humanoid_is_worn(&search->words[joint]);
}

static double extent_of(const struct humanoid_search *search) {
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < search->rig->joint_count; i++) {
		for (int k = 0; search->skinned[i] && k < 3; k++) {
			low[k] = fmin(low[k], search->place[i][k]);
			high[k] = fmax(high[k], search->place[i][k]);
		}
	}
	double size[3];
	vec3_sub(high, low, size);
	return vec3_length(size);
}

static void tree_begin(struct joint_tree *tree, const struct humanoid_search *search) {
	const struct rig *rig = search->rig;
	*tree = (struct joint_tree){
		.search = search,
		.reach =
			arena_alloc(search->scratch, (size_t)rig->joint_count, sizeof *tree->reach),
		.main = make_links(search),
		.child = make_links(search),
		.sibling = make_links(search),
		.min_reach = REACH_MIN * extent_of(search),
	};
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		if (parent < 0 || !is_body(search, i)) {
			continue;
		}
		tree->sibling[i] = tree->child[parent];
		tree->child[parent] = i;
		double way[3];
		const double reach = tree->reach[i] + humanoid_way(search, parent, i, way);
		if (tree->main[parent] < 0 || reach >= tree->reach[parent]) {
			tree->reach[parent] = reach;
			tree->main[parent] = i;
		}
	}
}

static struct chain chain_from(const struct joint_tree *tree, int joint) {
	struct chain chain = {0};
	for (int i = joint; i >= 0 && chain.count < CHAIN_MAX; i = tree->main[i]) {
		chain.joints[chain.count++] = i;
	}
	return chain;
}

static double reach_from(const struct joint_tree *tree, int fork, int branch) {
	double way[3];
	return tree->reach[branch] + humanoid_way(tree->search, fork, branch, way);
}

/* True when the bones that both have are as long as one another and most of both. */
static bool is_as_long(
	const struct humanoid_search *search, const struct branches *pair, int count) {
	double lengths[2] = {0, 0}, way[3];
	bool alike = true;
	for (int i = 0; i < count; i++) {
		double bones[2];
		for (int side = 0; side < 2; side++) {
			const int *joints = pair->sides[side].joints;
			bones[side] = humanoid_way(
				search, i ? joints[i - 1] : pair->fork, joints[i], way);
			lengths[side] += bones[side];
		}
		alike = alike && fabs(bones[0] - bones[1]) <= MIRROR_LENGTH * pair->reach;
	}
	return alike && fmin(lengths[0], lengths[1]) >= pair->reach * (1 - MIRROR_LENGTH);
}

/* True when all joints of a pair have their twins in one direction, which is set. */
static bool is_opposite(const struct humanoid_search *search, struct branches *pair, int count) {
	double way[3];
	for (int i = 0; i < count; i++) {
		humanoid_way(search, pair->sides[1].joints[i], pair->sides[0].joints[i], way);
		for (int k = 0; k < 3; k++) {
			pair->across[k] += way[k];
		}
	}
	bool opposite = vec3_normalize(pair->across);
	for (int i = 0; opposite && i < count; i++) {
		const double width = humanoid_way(
			search, pair->sides[1].joints[i], pair->sides[0].joints[i], way);
		opposite = vec3_dot(way, pair->across) >= MIRROR_COSINE * width &&
			width >= MIRROR_WIDTH * pair->reach;
	}
	return opposite;
}

static bool make_pair(
	const struct joint_tree *tree, int fork, int a, int b, struct branches *pair) {
	*pair = (struct branches){
		.fork = fork,
		.sides = {chain_from(tree, a), chain_from(tree, b)},
		.reach = fmax(reach_from(tree, fork, a), reach_from(tree, fork, b)),
	};
	const int count = pair->sides[0].count < pair->sides[1].count ? pair->sides[0].count
								      : pair->sides[1].count;
	return pair->reach > tree->min_reach && is_as_long(tree->search, pair, count) &&
		is_opposite(tree->search, pair, count);
}

/* Adds a pair, or puts it in the place of the one that reaches least. */
static void keep_pair(const struct branches *pair, struct branches *out, int most, int *count) {
	if (*count < most) {
		out[(*count)++] = *pair;
		return;
	}
	int min_reach = 0;
	for (int i = 1; i < most; i++) {
		min_reach = out[i].reach < out[min_reach].reach ? i : min_reach;
	}
	if (pair->reach > out[min_reach].reach) {
		out[min_reach] = *pair;
	}
}

/* The branches below a joint that reach farthest, the farthest first. */
static int choose_branches(const struct joint_tree *tree, int fork, int *branches) {
	int count = 0;
	for (int i = tree->child[fork]; i >= 0; i = tree->sibling[i]) {
		int at = count;
		while (at > 0 &&
			reach_from(tree, fork, branches[at - 1]) < reach_from(tree, fork, i)) {
			at--;
		}
		if (at == BRANCHES_MAX) {
			continue;
		}
		count += count < BRANCHES_MAX;
		for (int k = count - 1; k > at; k--) {
			branches[k] = branches[k - 1];
		}
		branches[at] = i;
	}
	return count;
}

int humanoid_find_branches(const struct humanoid_search *search, struct branches *out, int most) {
	struct joint_tree tree;
	tree_begin(&tree, search);
	int found = 0;
	for (int fork = 0; fork < search->rig->joint_count; fork++) {
		int branches[BRANCHES_MAX];
		const int count = choose_branches(&tree, fork, branches);
		for (int i = 0; i < count; i++) {
			for (int k = 0; k < i; k++) {
				struct branches pair;
				if (make_pair(&tree, fork, branches[k], branches[i], &pair)) {
					keep_pair(&pair, out, most, &found);
				}
			}
		}
	}
	return found;
}
