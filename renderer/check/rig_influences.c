// rig/influences: vertices with more influences than engines take, and what cutting them costs.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/rules.h"
#include "skin/palette.h"

/* Influences that every engine takes. */
#define COMMON 4

/* Weight beyond them that somebody may see. */
#define WEIGHT_MIN 1e-4

/* Moments of each clip that cut vertices are compared at. */
#define MOMENTS 48

struct state {
	const struct check_asset *asset;
	int beyond_common, beyond_profile;
	uint32_t vertices[CHECK_ELEMENTS_MAX];
	size_t listed;
	int *cut;                        // [beyond_common] vertices
	const struct primitive **owners; // [beyond_common]
	double error;                    // the greatest distance
};

/* The sum of a vertex' weights behind the first so many, which are the greatest. */
static double weight_behind(
	const struct rig *rig, const struct primitive *p, int vertex, int first) {
	const size_t at = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	double sum = 0;
	for (int k = first; k < p->influence_count; k++) {
		sum += (double)rig->influence_weights[at + (size_t)k];
	}
	return sum;
}

static void count(struct state *state, const struct primitive *p) {
	const struct check_asset *asset = state->asset;
	const int most = asset->profile->settings.influences;
	for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
		if (weight_behind(asset->rig, p, v, COMMON) <= WEIGHT_MIN) {
			continue;
		}
		if (state->listed < CHECK_ELEMENTS_MAX) {
			state->vertices[state->listed++] = (uint32_t)v;
		}
		state->owners[state->beyond_common] = p;
		state->cut[state->beyond_common++] = v;
		state->beyond_profile += most < p->influence_count &&
			weight_behind(asset->rig, p, v, most > COMMON ? most : COMMON) > WEIGHT_MIN;
	}
}

/* Blends a vertex by its first influences. */
static void blend(const struct rig *rig, const struct primitive *p, int vertex, int influences,
	const double (*matrices)[12], double out[static 3]) {
	const size_t at = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	double sum = 0, position[3], moved[3];
	for (int i = 0; i < 3; i++) {
		position[i] = (double)rig->positions[vertex * 3 + i];
		out[i] = 0;
	}
	for (int k = 0; k < influences; k++) {
		const double weight = (double)rig->influence_weights[at + (size_t)k];
		const int slot = p->first_slot + rig->influence_slots[at + (size_t)k];
		mat_map_point(matrices[slot], position, moved);
		sum += weight;
		for (int i = 0; i < 3; i++) {
			out[i] += weight * moved[i];
		}
	}
	vec3_scale(out, 1 / sum, out);
}

static void compare(struct state *state, const double (*matrices)[12]) {
	const struct rig *rig = state->asset->rig;
	for (int i = 0; i < state->beyond_common; i++) {
		const struct primitive *p = state->owners[i];
		double full[3], cut[3], way[3];
		blend(rig, p, state->cut[i], p->influence_count, matrices, full);
		blend(rig, p, state->cut[i], COMMON, matrices, cut);
		vec3_sub(full, cut, way);
		state->error = fmax(state->error, vec3_length(way));
	}
}

static void compare_clip(struct state *state, int index, struct arena *arena) {
	const struct check_asset *asset = state->asset;
	const struct check_clip *clip = check_clip_create(asset, index, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *world);
	double(*matrices)[12] =
		arena_alloc(arena, (size_t)asset->rig->slot_count, sizeof *matrices);
	const int stride = clip->count / MOMENTS > 1 ? clip->count / MOMENTS : 1;
	for (int f = 0; f < clip->count; f += stride) {
		struct arena *scratch = arena_create();
		const struct pose pose =
			check_clip_pose(asset, clip, check_clip_time(clip, f), scratch);
		pose_to_world(asset->rig, &pose, world);
		palette_build(asset->rig, (const double(*)[12])world, matrices);
		compare(state, (const double(*)[12])matrices);
		arena_destroy(scratch);
	}
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	const size_t vertices = (size_t)rig->vertex_count;
	struct state state = {
		.asset = asset,
		.cut = arena_alloc(arena, vertices, sizeof *state.cut),
		.owners = arena_alloc(arena, vertices, sizeof(const struct primitive *)),
	};
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].skinned && rig->primitives[i].influence_count > COMMON) {
			count(&state, &rig->primitives[i]);
		}
	}
	for (int i = 0; i < rig->clip_count && state.beyond_common > 0; i++) {
		compare_clip(&state, i, arena);
	}
	struct check_value value = check_value(state.beyond_common);
	value.at_most = state.beyond_profile > 0 ? CHECK_ERROR : CHECK_NOTE;
	value.vertices = state.vertices;
	value.vertex_count = state.listed;
	check_value_param(&value, "beyond_profile", state.beyond_profile);
	check_value_param(&value, "profile", asset->profile->settings.influences);
	check_value_param(&value, "error_if_cut", state.error / asset->length);
	check_emit(sink, &check_rule_rig_influences, &value);
}

static const struct check_pass pass = {.needs = CHECK_NEEDS_SKIN, .asset = look};

const struct check_rule check_rule_rig_influences = {
	.info =
		{
			.id = "rig/influences",
			.unit = "vertices",
			.catches = "more than 4 influences per vertex, and what cutting them costs",
			.definition = "The number of vertices whose weights behind the 4 greatest "
				      "are more than "
				      "0.0001 in sum; and the greatest distance, over 48 moments "
				      "of each clip, that "
				      "a vertex moves when it is cut to 4 influences and its "
				      "weights are divided by "
				      "their sum. A warning where vertices have more than the "
				      "profile allows.",
			.effect = "Engines that take 4 influences draw another shape.",
			.fix = "Limit the influences to 4 per vertex.",
			.blender = "In Weight Paint mode choose Weights > Limit Total, with a "
				   "limit of 4, then Weights > Normalize All.",
			.maya = "Run Skin > Edit Influences > Set Max Influences with 4, then Skin "
				"> Prune Small Weights.",
			.message = "{value:#} {value|vertex has|vertices have} more than 4 "
				   "influences: cutting them moves a vertex by up to "
				   "{error_if_cut:%} of the figure's length",
			.example = "213 vertices have more than 4 influences: cutting them moves a "
				   "vertex by up to 1.18 % of the figure's length",
			.cost = CHECK_COST_VERTICES,
			.limits = {1, 1, INFINITY},
		},
	.pass = &pass,
};
