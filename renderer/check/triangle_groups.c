// Triangles by the joint that they follow, and those of distant joints that cross.
#include "check/triangle_groups.h"

#include <math.h>
#include <string.h>

#include "check/surface.h"

/* Joints whose triangles are held against each other are so many steps apart. */
#define LEAST_STEPS 3

/* The budget is one of work, so that reports are the same on every machine: tests of two boxes, and
 * what a test of two triangles counts for. */
#define TESTS_PER_MS 40000
#define TRIANGLES_COST 4

/* --- Crossings --- */

/* Two groups being held against each other. */
struct crossing {
	struct check_groups *groups;
	struct check_group *a, *b;
	const int *points; // by vertex
	const float *positions;
	long *budget;
	bool *marks;
};

static bool share_point(const int *points, const int *a, const int *b) {
	bool share = false;
	for (int i = 0; i < 9; i++) {
		share |= points[a[i / 3]] == points[b[i % 3]];
	}
	return share;
}

static void load(const float *positions, const int *corners, double out[static 3][3]) {
	for (int i = 0; i < 9; i++) {
		out[i / 3][i % 3] = (double)positions[(size_t)corners[i / 3] * 3 + (size_t)(i % 3)];
	}
}

static void mark_pair(int at, int bt, void *context) {
	struct crossing *crossing = context;
	struct check_groups *groups = crossing->groups;
	const int first = crossing->a->triangles[at], second = crossing->b->triangles[bt];
	const int *a = crossing->a->corners[at], *b = crossing->b->corners[bt];
	if (groups->at_rest[first] || groups->at_rest[second] ||
		(crossing->marks[first] && crossing->marks[second]) ||
		share_point(crossing->points, a, b)) {
		return;
	}
	double one[3][3], other[3][3];
	load(crossing->positions, a, one);
	load(crossing->positions, b, other);
	// One that is to stop has nothing left to spend.
	*crossing->budget = check_goes_on(groups->asset, groups->turns++)
		? *crossing->budget - TRIANGLES_COST
		: 0;
	if (check_triangles_cross((const double(*)[3])one, (const double(*)[3])other)) {
		crossing->marks[first] = crossing->marks[second] = true;
		crossing->a->crossed = crossing->b->crossed = true;
	}
}

static void find_box(struct check_group *group, const float *positions) {
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < group->vertex_count; i++) {
		const float *at = positions + (size_t)group->vertices[i] * 3;
		for (int k = 0; k < 3; k++) {
			low[k] = at[k] < low[k] ? at[k] : low[k];
			high[k] = at[k] > high[k] ? at[k] : high[k];
		}
	}
	memcpy(group->low, low, sizeof low);
	memcpy(group->high, high, sizeof high);
}

static bool boxes_touch(const struct check_group *a, const struct check_group *b) {
	bool touch = true;
	for (int k = 0; k < 3; k++) {
		touch &= a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
	}
	return touch;
}

static void fit(struct check_group *group, const float *positions) {
	if (!group->fitted) {
		check_tree_fit(group->tree, positions);
		group->fitted = true;
	}
}

/* Most groups are near none that they are held against. */
bool check_groups_mark(
	struct check_groups *groups, const float *positions, long *budget, bool *marks) {
	for (int i = 0; i < groups->count; i++) {
		groups->groups[i].crossed = groups->groups[i].fitted = false;
		find_box(&groups->groups[i], positions);
	}
	for (int i = 0; i < groups->pair_count; i++) {
		struct check_group *a = &groups->groups[groups->pairs[i][0]];
		struct check_group *b = &groups->groups[groups->pairs[i][1]];
		struct crossing crossing = {
			groups, a, b, groups->asset->surface->points, positions, budget, marks};
		--*budget;
		if (!check_goes_on(groups->asset, i)) {
			return false;
		}
		if (!boxes_touch(a, b)) {
			continue;
		}
		fit(a, positions);
		fit(b, positions);
		if (!check_tree_pairs(a->tree, b->tree, mark_pair, &crossing, budget)) {
			return false;
		}
	}
	return true;
}

/* --- Making --- */

int check_triangle_joint(const struct check_asset *asset, const int corners[static 3]) {
	int best = -1;
	for (int i = 0; i < 3; i++) {
		const int joint = asset->dominant[corners[i]];
		if (joint == asset->dominant[corners[(i + 1) % 3]]) {
			return joint;
		}
		const int deeper = best < 0 ? 1 : asset->depth[best] - asset->depth[joint];
		best = deeper > 0 || (deeper == 0 && joint < best) ? joint : best;
	}
	return best;
}

static void find_groups(struct check_groups *out, struct arena *arena) {
	const struct check_asset *asset = out->asset;
	const struct check_triangles *all = &asset->surface->triangles;
	const size_t joints = (size_t)asset->rig->joint_count;
	struct arena *scratch = arena_create();
	int *counts = arena_alloc(scratch, joints, sizeof *counts);
	int *numbers = arena_alloc(scratch, joints, sizeof *numbers);
	int *followed = arena_alloc(scratch, (size_t)all->count, sizeof *followed);
	out->groups = arena_alloc(arena, joints, sizeof *out->groups);
	for (int i = 0; i < all->count; i++) {
		followed[i] = check_triangle_joint(asset, all->corners[i]);
		counts[followed[i]]++;
	}
	for (int i = 0; i < (int)joints; i++) {
		if (counts[i] > 0) {
			struct check_group *group = &out->groups[out->count];
			const size_t room = (size_t)counts[i];
			group->joint = i;
			group->corners = arena_alloc(arena, room, sizeof *group->corners);
			group->triangles = arena_alloc(arena, room, sizeof *group->triangles);
			numbers[i] = out->count++;
		}
	}
	for (int i = 0; i < all->count; i++) {
		struct check_group *group = &out->groups[numbers[followed[i]]];
		memcpy(group->corners[group->count], all->corners[i], sizeof *group->corners);
		group->triangles[group->count++] = i;
	}
	arena_destroy(scratch);
}

static void find_pairs(struct check_groups *out, struct arena *arena) {
	const size_t groups = (size_t)out->count;
	if (groups > CHECK_GROUPS_MAX) {
		return;
	}
	int(*pairs)[2] = arena_alloc(arena, groups * groups / 2 + 1, sizeof *pairs);
	for (int a = 0; a < out->count; a++) {
		for (int b = a + 1; b < out->count; b++) {
			if (check_joints_are_apart(out->asset, out->groups[a].joint,
				    out->groups[b].joint, LEAST_STEPS)) {
				pairs[out->pair_count][0] = a;
				pairs[out->pair_count++][1] = b;
			}
		}
	}
	out->pairs = (const int(*)[2])pairs;
}

/* The vertices of each group. */
static void list_vertices(struct check_groups *groups, struct arena *arena) {
	struct arena *scratch = arena_create();
	const size_t vertices = (size_t)groups->asset->surface->vertex_count;
	int *visitor = arena_alloc(scratch, vertices, sizeof *visitor); // group + 1
	for (int i = 0; i < groups->count; i++) {
		struct check_group *group = &groups->groups[i];
		group->vertices =
			arena_alloc(arena, 3 * (size_t)group->count, sizeof *group->vertices);
		for (int k = 0; k < group->count * 3; k++) {
			const int vertex = group->corners[k / 3][k % 3];
			if (visitor[vertex] != i + 1) {
				visitor[vertex] = i + 1;
				group->vertices[group->vertex_count++] = vertex;
			}
		}
	}
	arena_destroy(scratch);
}

/* Triangles that cross at rest take their part of every clip's budget. */
static void mark_rest(struct check_groups *groups, struct arena *arena) {
	const struct check_asset *asset = groups->asset;
	const size_t count = (size_t)asset->surface->vertex_count;
	const size_t triangles = (size_t)asset->surface->triangles.count;
	float *rest = arena_alloc(arena, count * 3, sizeof *rest);
	for (size_t i = 0; i < count * 3; i++) {
		rest[i] = (float)asset->rest_vertices[i / 3][i % 3];
	}
	for (int i = 0; i < groups->count; i++) {
		struct check_group *group = &groups->groups[i];
		group->tree = check_tree_create(
			(const int(*)[3])group->corners, group->count, rest, arena);
	}
	bool *marks = arena_alloc(arena, triangles, sizeof *marks);
	groups->at_rest = arena_alloc(arena, triangles, sizeof *groups->at_rest);
	check_groups_mark(groups, rest, &groups->budget, marks);
	groups->at_rest = marks;
}

const void *check_groups_make(const struct check_asset *asset, struct arena *arena) {
	struct check_groups *groups = arena_alloc(arena, 1, sizeof *groups);
	groups->asset = asset;
	groups->budget = (long)(fmin(asset->profile->settings.self_intersection_ms, 1e9) *
		TESTS_PER_MS / asset->rig->clip_count);
	find_groups(groups, arena);
	find_pairs(groups, arena);
	if (groups->pair_count > 0 && groups->budget > 0) {
		list_vertices(groups, arena);
		mark_rest(groups, arena);
	}
	return groups;
}

struct check_groups *check_groups_copy(const struct check_groups *groups, struct arena *arena) {
	const size_t count = (size_t)groups->count;
	struct check_groups *copy = arena_alloc(arena, 1, sizeof *copy);
	*copy = *groups;
	copy->groups = arena_alloc(arena, count, sizeof *copy->groups);
	for (size_t i = 0; i < count; i++) {
		copy->groups[i] = groups->groups[i];
		if (copy->groups[i].tree) {
			copy->groups[i].tree = check_tree_copy(copy->groups[i].tree, arena);
		}
	}
	return copy;
}
