// surface/self_intersection: distant parts of the figure that go through each other.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/pose_choice.h"
#include "check/rules.h"
#include "check/surface.h"
#include "check/triangle_groups.h"

#define SAMPLES_MAX 24

struct state {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const struct check_clip *clip;
	struct check_groups *groups;
	bool *crossed;       // [groups->count] in the worst sample
	const bool *chosen;  // [clip->count] samples
	int wanted, looked;  // samples; looked: those that the budget was enough for
	long budget;         // of the clip
	bool *marked;        // [triangles.count] crosses something in this sample
	float *worst;        // [vertex_count][3] positions in the worst sample
	double *joint_areas; // [joint_count]
	double share;        // the worst; -1 = none yet
	int sample, joint;
	uint32_t triangles[CHECK_ELEMENTS_MAX];
	size_t count;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	const size_t triangles = (size_t)surface->triangles.count;
	*state = (struct state){asset, surface, clip, .share = -1, .sample = -1, .joint = -1};
	state->groups = check_groups_copy(check_share(asset, check_groups_make), arena);
	state->budget = state->groups->budget;
	if (state->groups->pair_count == 0 || state->budget <= 0) {
		return state;
	}
	state->crossed = arena_alloc(arena, (size_t)state->groups->count, sizeof *state->crossed);
	state->marked = arena_alloc(arena, triangles, sizeof *state->marked);
	state->worst = arena_alloc(arena, 3 * (size_t)surface->vertex_count, sizeof *state->worst);
	state->joint_areas =
		arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *state->joint_areas);
	state->chosen = check_choose_samples(asset, clip, SAMPLES_MAX, &state->wanted, arena);
	return state;
}

/* --- Depth --- */

/* Trees of parts, in the worst sample. */
struct parts {
	const struct check_tree **trees; // [count]
	int count;
};

/* Those of the groups that are far from a group. */
static void list_distant(const struct check_groups *groups, const struct check_group *group,
	const float *positions, struct parts *parts) {
	parts->count = 0;
	for (int i = 0; i < groups->pair_count; i++) {
		struct check_group *a = &groups->groups[groups->pairs[i][0]];
		struct check_group *b = &groups->groups[groups->pairs[i][1]];
		struct check_group *other = a == group ? b : b == group ? a : NULL;
		if (other && !other->fitted) {
			check_tree_fit(other->tree, positions);
			other->fitted = true;
		}
		if (other) {
			parts->trees[parts->count++] = other->tree;
		}
	}
}

/* True when a point is inside of parts: rays go through their surface an odd number of
 * times, six ways, of which one may lead through the hole where a part is cut off. */
static bool is_inside(const struct parts *parts, const double at[static 3]) {
	// Across each other, and along no axis that models are aligned with.
	static const double ways[3][3] = {{0.16255763, 0.91962317, -0.35758669},
		{-0.65263580, 0.37201844, 0.66005211}, {0.74002806, 0.12607737, 0.66065344}};
	int odd = 0;
	bool held = false;
	for (int i = 0; i < parts->count && !held; i++) {
		held = check_tree_holds(parts->trees[i], at);
	}
	for (int i = 0; i < 6 && held && odd >= i - 1; i++) {
		double way[3];
		int crossings = 0;
		vec3_scale(ways[i / 2], i % 2 == 0 ? 1 : -1, way);
		for (int k = 0; k < parts->count; k++) {
			crossings += check_tree_crossings(parts->trees[k], at, way);
		}
		odd += crossings % 2;
	}
	return odd >= 5;
}

/* The lesser of a distance and that of the nearest point of the parts. */
static double distance_to(const struct parts *parts, const double at[static 3], double most) {
	for (int i = 0; i < parts->count; i++) {
		most = check_tree_distance(parts->trees[i], at, most);
	}
	return most;
}

/* The greatest distance to the surface of distant parts of a group's vertices inside of them, in
 * the worst sample; or a depth that is known already, if that is greater. */
static double group_depth(const struct state *state, const struct check_group *group,
	const struct parts *parts, double depth) {
	for (int i = 0; i < group->vertex_count && check_goes_on(state->asset, i); i++) {
		double at[3];
		for (int k = 0; k < 3; k++) {
			at[k] = (double)state->worst[group->vertices[i] * 3 + k];
		}
		// Few are farther away than what is known; it takes more to see if they are inside.
		const double above = depth * (1 + 1e-12);
		if (!(distance_to(parts, at, above) < above) && is_inside(parts, at)) {
			depth = fmax(depth, distance_to(parts, at, INFINITY));
		}
	}
	return depth;
}

/* That of all groups that are crossed there. */
static double find_depth(const struct state *state) {
	struct check_groups *groups = state->groups;
	struct arena *scratch = arena_create();
	struct parts parts = {
		.trees = arena_alloc(scratch, (size_t)groups->count, sizeof *parts.trees)};
	double depth = 0;
	for (int i = 0; i < groups->count; i++) {
		groups->groups[i].fitted = false;
	}
	for (int i = 0; i < groups->count && state->share > 0; i++) {
		if (state->crossed[i]) {
			list_distant(groups, &groups->groups[i], state->worst, &parts);
			depth = group_depth(state, &groups->groups[i], &parts, depth);
		}
	}
	arena_destroy(scratch);
	return depth;
}

/* --- Samples --- */

/* The joint with the greatest area of marked triangles, and some of all of them. */
static void locate(struct state *state) {
	const struct check_surface *surface = state->surface;
	const size_t joints = (size_t)state->asset->rig->joint_count;
	memset(state->joint_areas, 0, joints * sizeof *state->joint_areas);
	state->joint = -1;
	state->count = 0;
	for (int i = 0; i < surface->triangles.count; i++) {
		if (!state->marked[i]) {
			continue;
		}
		const int joint = check_triangle_joint(state->asset, surface->triangles.corners[i]);
		state->joint_areas[joint] += surface->areas[i];
		if (state->count < CHECK_ELEMENTS_MAX) {
			state->triangles[state->count++] = surface->triangles.ids[i];
		}
	}
	for (int i = 0; i < (int)joints; i++) {
		if (state->joint_areas[i] > 0 &&
			(state->joint < 0 ||
				state->joint_areas[i] > state->joint_areas[state->joint])) {
			state->joint = i;
		}
	}
}

static void keep_sample(struct state *state, const struct check_surface_sample *sample) {
	const size_t floats = 3 * (size_t)state->surface->vertex_count;
	memcpy(state->worst, sample->positions, floats * sizeof *state->worst);
	for (int i = 0; i < state->groups->count; i++) {
		state->crossed[i] = state->groups->groups[i].crossed;
	}
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const struct check_surface *surface = state->surface;
	(void)sink;
	if (!state->chosen || !state->chosen[sample->at.sample] || state->budget <= 0) {
		return;
	}
	memset(state->marked, 0, (size_t)surface->triangles.count * sizeof *state->marked);
	if (!check_groups_mark(state->groups, sample->positions, &state->budget, state->marked)) {
		return;
	}
	double area = 0;
	state->looked++;
	for (int i = 0; i < surface->triangles.count; i++) {
		if (state->marked[i]) {
			area += surface->areas[i];
		}
	}
	const double share = surface->area > 0 ? area / surface->area : 0;
	if (share > state->share) {
		state->share = share;
		state->sample = sample->at.sample;
		keep_sample(state, sample);
		locate(state);
	}
}

static void end(void *context, struct check_sink *sink) {
	struct state *state = context;
	const struct check_rule *rule = &check_rule_surface_self_intersection;
	if (state->groups->count > CHECK_GROUPS_MAX) {
		check_skip(sink, rule, "more than 512 joints have triangles");
		return;
	}
	if (state->groups->pair_count == 0) {
		check_skip(sink, rule, "no two joints with triangles are three steps apart");
		return;
	}
	if (state->looked == 0) {
		check_skip(sink, rule, "the budget of self_intersection_ms is spent");
		return;
	}
	struct check_value value =
		check_value_at(state->clip, state->share, state->joint, state->sample);
	value.triangles = state->triangles;
	value.triangle_count = state->count;
	check_value_param(&value, "depth", find_depth(state) / state->asset->length);
	check_value_param(&value, "looked", state->looked);
	check_value_param(&value, "samples", state->wanted);
	check_emit(sink, rule, &value);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_self_intersection = {
	.info =
		{
			.id = "surface/self_intersection",
			.unit = "share",
			.catches = "distant parts of the figure that go through each other",
			.definition =
				"The share of the surface whose triangles cross triangles of a "
				"distant part: "
				"one that follows a joint at least three steps away in the tree of "
				"joints. "
				"Triangles that already cross at rest are left out. Up to 24 "
				"samples of "
				"the clip that differ the most are looked at, within the budget of "
				"self_intersection_ms. The depth is the greatest distance from the "
				"other "
				"part's surface of a vertex inside of it, as a share of the "
				"figure's "
				"length: it tells a fault from a touch.",
			.effect = "An arm goes through the body, or a tail through the legs.",
			.fix = "Look at {joint} at {time:3} s of {clip} and move it away from what "
			       "it goes "
			       "through.",
			.blender = "Key the limb farther away at that frame, or let an IK target "
				   "with a "
				   "Limit Distance constraint keep it outside.",
			.maya = "Key the limb's control farther away at that frame in the Graph "
				"Editor.",
			.message = "{value:%} of the surface, most of it at {joint}, goes through "
				   "another "
				   "part at {time:3} s of {clip}, up to {depth:%} of the figure's "
				   "length deep",
			.example =
				"5.7 % of the surface, most of it at LeftLeg, goes through another "
				"part at 3.267 s of Idle, up to 4.33 % of the figure's length deep",
			.cost = CHECK_COST_BUDGETED,
			.by_clip = true,
			.limits = {0.05, INFINITY, INFINITY},
		},
	.pass = &pass,
};
