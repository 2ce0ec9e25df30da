// The parts of a figure: root and hip, feet, sides.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/asset_internal.h"
#include "model/plain_names.h"

/* Shares of L. */
#define BRANCH_REACH 0.3 // of a child that the root goes on to
#define GROUND_NEAR 0.05
#define TOE_REACH 0.2 // of a joint that those below it count with
#define FOOT_NEAR 0.03

/* Groups near the ground that a foot has below it at most: its toes. */
#define TOES_BELOW 1

/* --- Root --- */

static int topmost(const struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	int best = -1;
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		const bool top = asset->active[i] && asset->in_skin[i] &&
			(parent < 0 || !asset->in_skin[parent]);
		if (top && (best < 0 || asset->reach[i] > asset->reach[best])) {
			best = i;
		}
	}
	return best;
}

/* The only child of a joint that reaches far; -1 where there is none, or several. */
static int only_branch(const struct check_asset *asset, int joint) {
	int only = -1;
	for (int i = joint + 1; i < asset->rig->joint_count; i++) {
		if (asset->rig->joints[i].parent == joint &&
			asset->reach[i] > BRANCH_REACH * asset->length) {
			if (only >= 0) {
				return -1;
			}
			only = i;
		}
	}
	return only;
}

static void find_root(struct check_asset *asset) {
	bool *in_root = arena_alloc(asset->arena, (size_t)asset->rig->joint_count, sizeof *in_root);
	int joint = topmost(asset);
	while (joint >= 0 && asset->root_count < CHECK_ROOT_MAX) {
		asset->root[asset->root_count++] = joint;
		asset->hip = joint;
		in_root[joint] = true;
		joint = asset->carried[joint] > 0 ? -1 : only_branch(asset, joint);
	}
	asset->in_root = in_root;
}

/* --- Ground and feet --- */

static double lowest_of(const struct check_asset *asset, bool skinned_only) {
	double lowest = INFINITY;
	for (int i = 0; i < asset->rig->vertex_count; i++) {
		if (!asset->nonfinite[i] && (asset->skinned[i] || !skinned_only)) {
			lowest = fmin(lowest, asset->rest_vertices[i][1]);
		}
	}
	return lowest;
}

static void find_ground(struct check_asset *asset) {
	const double lowest = lowest_of(asset, false);
	asset->ground_known = true;
	if (asset->profile->settings.has_ground) {
		asset->ground = asset->profile->settings.ground;
	} else if (isfinite(lowest) && fabs(lowest) > GROUND_NEAR * asset->length) {
		asset->ground = lowest;
		asset->ground_known = false;
	}
}

/* Groups of vertices by leader, arrays by joint. */
struct groups {
	int *leaders;   // the joint that a joint's vertices count with
	int *sizes;     // of a leader's group; 0 = it leads none
	int *near;      // vertices of a group that are near the ground at rest
	int **vertices; // of a leader's group, for those of feet; else NULL
};

/* Toes count with their foot. */
static void find_leaders(const struct check_asset *asset, int *leaders) {
	// Parents come first.
	for (int i = 0; i < asset->rig->joint_count; i++) {
		const int parent = asset->rig->joints[i].parent;
		const bool follows = parent >= 0 && asset->carried[parent] > 0 &&
			asset->reach[parent] < TOE_REACH * asset->length;
		leaders[i] = follows ? leaders[parent] : i;
	}
}

static struct groups find_groups(
	const struct check_asset *asset, double most, struct arena *scratch) {
	const size_t joints = (size_t)asset->rig->joint_count;
	struct groups groups;
	groups.leaders = arena_alloc(scratch, joints, sizeof *groups.leaders);
	groups.sizes = arena_alloc(scratch, joints, sizeof *groups.sizes);
	groups.near = arena_alloc(scratch, joints, sizeof *groups.near);
	groups.vertices = arena_alloc(scratch, joints, sizeof *groups.vertices);
	find_leaders(asset, groups.leaders);
	for (int i = 0; i < asset->rig->vertex_count; i++) {
		if (asset->skinned[i] && !asset->nonfinite[i]) {
			const int leader = groups.leaders[asset->dominant[i]];
			groups.near[leader] += asset->rest_vertices[i][1] <= most;
			groups.sizes[leader]++;
		}
	}
	return groups;
}

/* The greatest number of groups near the ground on a way down from each joint's group, without
 * itself. */
static int *count_groups_below(
	const struct check_asset *asset, const struct groups *groups, struct arena *scratch) {
	int *below = arena_alloc(scratch, (size_t)asset->rig->joint_count, sizeof *below);
	for (int i = asset->rig->joint_count - 1; i >= 0; i--) {
		const int parent = asset->rig->joints[i].parent;
		if (parent >= 0) {
			const bool counts = groups->leaders[i] == i && groups->near[i] > 0;
			const int ways = below[i] + counts;
			below[parent] = ways > below[parent] ? ways : below[parent];
		}
	}
	return below;
}

/* A foot whose vertices are yet to be listed. */
static struct check_foot make_foot(
	const struct check_asset *asset, const struct groups *groups, int joint) {
	const size_t room = (size_t)groups->sizes[joint];
	int *vertices = arena_alloc(asset->arena, room, sizeof *vertices);
	groups->vertices[joint] = vertices;
	return (struct check_foot){.joint = joint, .vertices = vertices, .count = (int)room};
}

/* Lists the vertices of all feet. */
static void fill_feet(const struct check_asset *asset, const struct groups *groups) {
	for (int i = 0; i < asset->rig->vertex_count; i++) {
		const int leader = groups->leaders[asset->dominant[i]];
		if (asset->skinned[i] && !asset->nonfinite[i] && groups->vertices[leader]) {
			*groups->vertices[leader]++ = i;
		}
	}
}

/* Feet are the ends of limbs, at most with toes below them. Where longer chains than that have most
 * of what is near the ground, a figure rests on its body and has no feet: a snake. */
static void find_feet(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	struct arena *scratch = arena_create();
	const double most = lowest_of(asset, true) + FOOT_NEAR * asset->length;
	const struct groups groups = find_groups(asset, most, scratch);
	const int *below = count_groups_below(asset, &groups, scratch);
	struct check_foot *feet = arena_alloc(asset->arena, (size_t)rig->joint_count, sizeof *feet);
	int count = 0, of_feet = 0, of_body = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		if (groups.near[i] > 0 && below[i] <= TOES_BELOW) {
			feet[count++] = make_foot(asset, &groups, i);
			of_feet += groups.near[i];
		} else {
			of_body += groups.near[i];
		}
	}
	fill_feet(asset, &groups);
	asset->rests_on_body = of_body > of_feet;
	asset->feet = feet;
	asset->foot_count = asset->rests_on_body ? 0 : count;
	arena_destroy(scratch);
}

/* --- Sides --- */

static bool is_separator(char c) {
	return c == '\0' || strchr("_.- ", c) != NULL;
}

/* Replaces length bytes at a place of a name. */
static void replace(const char *name, size_t at, size_t length, const char *with, char *twin) {
	memcpy(twin, name, at);
	strcpy(twin + at, with);
	strcat(twin, name + at + length);
}

/* The other side's word, written as this one is: "LEFT", "Left" or "left". */
static void replace_word(
	const char *name, size_t at, const char *from, const char *to, char *twin) {
	char word[8];
	const bool upper = name[at] >= 'A' && name[at] <= 'Z';
	const bool all = upper && name[at + 1] >= 'A' && name[at + 1] <= 'Z';
	strcpy(word, to);
	for (size_t i = 0; word[i]; i++) {
		if (all || (upper && i == 0)) {
			word[i] = (char)(word[i] - 'a' + 'A');
		}
	}
	replace(name, at, strlen(from), word, twin);
}

int check_side_of(const char *name, char *twin) {
	static const char *const words[2] = {"left", "right"};
	for (int side = 0; side < 2; side++) {
		const char *found = strcasestr(name, words[side]);
		if (found && twin) {
			replace_word(
				name, (size_t)(found - name), words[side], words[1 - side], twin);
		}
		if (found) {
			return side == 0 ? 1 : -1;
		}
	}
	for (size_t i = 0; name[i]; i++) {
		const bool letter = strchr("lrLR", name[i]) != NULL;
		const bool begins = i == 0 || is_separator(name[i - 1]);
		if (letter && name[1] != '\0' && begins && is_separator(name[i + 1])) {
			const char other[2] = {(char)(name[i] ^ 'l' ^ 'r'), '\0'};
			if (twin) {
				replace(name, i, 1, other, twin);
			}
			return (name[i] | ' ') == 'l' ? 1 : -1;
		}
	}
	return 0;
}

struct named {
	const char *name;
	int joint;
};

static int compare_names(const void *first, const void *second) {
	return strcmp(((const struct named *)first)->name, ((const struct named *)second)->name);
}

/* The joints by their names. */
static struct named *sort_joints(const char *const *names, size_t count, struct arena *arena) {
	struct named *sorted = arena_alloc(arena, count, sizeof *sorted);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = (struct named){names[i], (int)i};
	}
	if (count > 1) {
		qsort(sorted, count, sizeof *sorted, compare_names);
	}
	return sorted;
}

static void find_pairs(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	struct check_pair *pairs = arena_alloc(asset->arena, count, sizeof *pairs);
	struct arena *scratch = arena_create();
	const char **names = plain_names_of(rig, scratch);
	const struct named *sorted = sort_joints(names, count, scratch);
	for (int i = 0; i < rig->joint_count; i++) {
		const char *name = names[i];
		char *twin = arena_alloc(scratch, strlen(name) + 8, 1);
		if (!asset->in_skin[i] || check_side_of(name, twin) <= 0) {
			continue;
		}
		const struct named wanted = {.name = twin};
		const struct named *found =
			bsearch(&wanted, sorted, count, sizeof *sorted, compare_names);
		const int other = found ? found->joint : -1;
		if (other >= 0 && asset->in_skin[other]) {
			pairs[asset->pair_count++] = (struct check_pair){i, other};
		}
	}
	asset->pairs = pairs;
	arena_destroy(scratch);
}

/* --- Bones --- */

static void add_end(struct check_ends *ends, const double place[static 3]) {
	for (int k = 0; k < 3; k++) {
		ends->sum[k] += place[k];
	}
	ends->count++;
}

void check_find_ends(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	struct check_ends *ends = arena_alloc(asset->arena, count, sizeof *ends);
	bool *has_child = arena_alloc(asset->arena, count, sizeof *has_child);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		if (parent >= 0 && asset->active[i]) {
			double place[3];
			check_joint_origin(asset, i, place);
			add_end(&ends[parent], place);
			has_child[parent] = true;
		}
	}
	for (int v = 0; v < rig->vertex_count; v++) {
		const int joint = asset->dominant[v];
		if (asset->skinned[v] && !asset->nonfinite[v] && !has_child[joint]) {
			add_end(&ends[joint], asset->rest_vertices[v]);
		}
	}
	asset->ends = ends;
}

bool check_bone_axis(const struct check_asset *asset, int joint, double axis[static 3]) {
	const struct check_ends *ends = &asset->ends[joint];
	double way[3], inverse[12];
	for (int k = 0; k < 3; k++) {
		way[k] = ends->sum[k] / ends->count - asset->rest_world[joint][k * 4 + 3];
	}
	if (ends->count == 0 || !mat_invert(asset->rest_world[joint], inverse)) {
		return false;
	}
	mat_map_direction(inverse, way, axis);
	return vec3_normalize(axis);
}

void check_find_parts(struct check_asset *asset) {
	find_root(asset);
	find_ground(asset);
	find_feet(asset);
	find_pairs(asset);
	check_find_ends(asset);
}
