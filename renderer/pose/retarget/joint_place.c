// Pairs of joints that have the same place in the hierarchies.
#include "pose/retarget/joint_map.h"

#include <stdint.h>
#include <string.h>

/* A rig's hierarchy from above. */
struct tree {
	const int *taken; // partner of each joint; -1 = it is free
	int *first;       // [joint_count + 1] first child, of the last for the roots; -1 = none
	int *next;        // [joint_count] next child of the same parent
	uint64_t *shape;  // [joint_count] the same for subtrees of one shape
	int roots;        // index into first
};

static struct tree tree_make(const struct rig *rig, const int *taken, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	struct tree tree = {
		.taken = taken,
		.first = arena_alloc(arena, count + 1, sizeof *tree.first),
		.next = arena_alloc(arena, count, sizeof *tree.next),
		.shape = arena_alloc(arena, count, sizeof *tree.shape),
		.roots = rig->joint_count,
	};
	memset(tree.first, -1, (count + 1) * sizeof *tree.first);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		int *first = &tree.first[parent >= 0 ? parent : tree.roots];
		tree.next[i] = *first;
		*first = i;
		tree.shape[i] = (tree.shape[i] ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
		tree.shape[i] ^= tree.shape[i] >> 29;
		if (parent >= 0) {
			tree.shape[parent] = tree.shape[parent] * 0x100000001b3u + tree.shape[i];
		}
	}
	return tree;
}

/* From a child on, itself included, the next that is free. */
static int skip_taken(const struct tree *tree, int joint) {
	while (joint >= 0 && tree->taken[joint] >= 0) {
		joint = tree->next[joint];
	}
	return joint;
}

/* True when both have equally many free children, of the same shapes or but one. */
static bool agree(
	const struct tree *ours, const struct tree *theirs, int our_parent, int their_parent) {
	int a = skip_taken(ours, ours->first[our_parent]);
	int b = skip_taken(theirs, theirs->first[their_parent]);
	int count = 0;
	bool same = true;
	while (a >= 0 && b >= 0) {
		same = same && ours->shape[a] == theirs->shape[b];
		a = skip_taken(ours, ours->next[a]);
		b = skip_taken(theirs, theirs->next[b]);
		count++;
	}
	return a < 0 && b < 0 && (same || count == 1);
}

static void bind_children(struct joint_map *map, const struct tree *ours, const struct tree *theirs,
	int our_parent, int their_parent) {
	if (!agree(ours, theirs, our_parent, their_parent)) {
		return;
	}
	int a = skip_taken(ours, ours->first[our_parent]);
	int b = skip_taken(theirs, theirs->first[their_parent]);
	while (a >= 0 && b >= 0) {
		const int next_a = skip_taken(ours, ours->next[a]);
		const int next_b = skip_taken(theirs, theirs->next[b]);
		joint_map_bind(map, a, b, JOINT_PLACE);
		a = next_a;
		b = next_b;
	}
}

void joint_map_bind_places(struct joint_map *map, struct arena *arena) {
	const struct tree ours = tree_make(map->ours, map->partner, arena);
	const struct tree theirs = tree_make(map->theirs, map->follower, arena);
	bind_children(map, &ours, &theirs, ours.roots, theirs.roots);
	for (int i = 0; i < map->ours->joint_count; i++) {
		if (map->partner[i] >= 0) {
			bind_children(map, &ours, &theirs, i, map->partner[i]);
		}
	}
}

bool joint_map_same_shape(const struct rig *ours, const struct rig *theirs, struct arena *arena) {
	if (ours->joint_count != theirs->joint_count) {
		return false;
	}
	const struct tree a = tree_make(ours, NULL, arena), b = tree_make(theirs, NULL, arena);
	int i = a.first[a.roots], k = b.first[b.roots];
	while (i >= 0 && k >= 0 && a.shape[i] == b.shape[k]) {
		i = a.next[i];
		k = b.next[k];
	}
	return i < 0 && k < 0;
}
