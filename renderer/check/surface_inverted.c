// surface/inverted: triangles turned inside out.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"

/* The cosine from which on a triangle that a morph target turned is still the same way round. */
#define SAME_SIDE 0.3

struct state {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const struct check_clip *clip;
	double *sides;         // [facing.count] see check_sums_sides()
	unsigned char *turned; // [facing.count]
	double *joint_areas;   // [joint_count]
	double (*room)[3];     // [vertex_count]
	double share;          // the worst so far; -1 = none
	int sample, joint;
	uint32_t triangles[CHECK_ELEMENTS_MAX];
	size_t count;
	struct check_series curve;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->asset = asset;
	state->surface = surface;
	state->clip = clip;
	state->sides = arena_alloc(arena, (size_t)surface->facing.count, sizeof *state->sides);
	state->turned = arena_alloc(arena, (size_t)surface->facing.count, sizeof *state->turned);
	state->joint_areas =
		arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *state->joint_areas);
	state->share = -1;
	state->sample = state->joint = -1;
	state->curve = check_series_make(clip, arena);
	if (surface->has_targets) {
		state->room =
			arena_alloc(arena, (size_t)surface->vertex_count, sizeof *state->room);
	}
	return state;
}

/* Marks the triangles whose normal is against their vertices'; returns their area. */
static double mark_turned(struct state *state, const struct check_surface_sample *sample) {
	const struct check_triangles *facing = &state->surface->facing;
	double area = 0;
	check_sums_sides(
		sample->points, sample->normals, facing->corners, facing->count, state->sides);
	for (int i = 0; i < facing->count; i++) {
		state->turned[i] = state->sides[i] < 0;
		if (state->turned[i]) {
			area += state->surface->facing_areas[i];
		}
	}
	return area;
}

/* Takes away those that the sample's morph targets turn; returns the area of the rest. */
static double keep_skinned(struct state *state, const struct check_surface_sample *sample) {
	const struct check_surface *surface = state->surface;
	const double(*now)[3] = check_surface_reference(surface, sample, state->room);
	const double(*bind)[3] = surface->reference;
	double area = 0;
	for (int i = 0; i < surface->facing.count; i++) {
		if (!state->turned[i]) {
			continue;
		}
		const int *at = surface->facing.corners[i];
		double before[3], after[3];
		check_cross(bind[at[0]], bind[at[1]], bind[at[2]], before);
		check_cross(now[at[0]], now[at[1]], now[at[2]], after);
		const double least = SAME_SIDE * vec3_length(before) * vec3_length(after);
		state->turned[i] = vec3_dot(before, after) > least;
		area += state->turned[i] ? surface->facing_areas[i] : 0;
	}
	return area;
}

/* The joint with the greatest area of marked triangles, and some of these. */
static void locate(struct state *state) {
	const struct check_surface *surface = state->surface;
	const int *dominant = state->asset->dominant;
	memset(state->joint_areas, 0,
		(size_t)state->asset->rig->joint_count * sizeof *state->joint_areas);
	state->joint = -1;
	for (int i = 0; i < surface->facing.count * 3; i++) {
		if (state->turned[i / 3]) {
			state->joint_areas[dominant[surface->facing.corners[i / 3][i % 3]]] +=
				surface->facing_areas[i / 3];
		}
	}
	for (int i = 0; i < state->asset->rig->joint_count; i++) {
		if (state->joint_areas[i] > 0 &&
			(state->joint < 0 ||
				state->joint_areas[i] > state->joint_areas[state->joint])) {
			state->joint = i;
		}
	}
	state->count = 0;
	for (int i = 0; i < surface->facing.count && state->count < CHECK_ELEMENTS_MAX; i++) {
		const int *at = surface->facing.corners[i];
		const bool follows = dominant[at[0]] == state->joint ||
			dominant[at[1]] == state->joint || dominant[at[2]] == state->joint;
		if (state->turned[i] && follows) {
			state->triangles[state->count++] = surface->facing.ids[i];
		}
	}
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	double area = mark_turned(state, sample);
	(void)sink;
	if (area > 0 && sample->is_morphed && state->surface->has_targets) {
		area = keep_skinned(state, sample);
	}
	const double share = area > 0 ? area / state->surface->facing_area : 0;
	check_series_add(&state->curve, &sample->at, share);
	if (share > state->share) {
		state->share = share;
		state->sample = sample->at.sample;
		locate(state);
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	if (state->surface->facing.count == 0) {
		check_skip(sink, &check_rule_surface_inverted,
			"no triangle agrees with the file's normals");
		return;
	}
	struct check_value value =
		check_value_at(state->clip, fmax(state->share, 0), state->joint, state->sample);
	value.triangles = state->triangles;
	value.triangle_count = state->count;
	value.curve = check_series_around(&state->curve, state->sample);
	check_emit(sink, &check_rule_surface_inverted, &value);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES | CHECK_NEEDS_NORMALS,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_inverted = {
	.info =
		{
			.id = "surface/inverted",
			.unit = "share",
			.catches = "triangles that the pose turns inside out",
			.definition =
				"Of the triangles whose bind pose normals agree with those of "
				"their "
				"vertices (cosine above 0.3), the share of the area whose skinned "
				"normal "
				"points against the skinned normals of their vertices, at the "
				"worst sample "
				"of the clip. Triangles that morph targets turn are left out.",
			.effect = "Patches go dark or vanish where back faces are culled; the skin "
				  "passes "
				  "through itself.",
			.fix = "Smooth the weights around {joint}, or turn it by less.",
			.blender = "In Weight Paint Mode run Weights > Smooth around the joint; or "
				   "add a "
				   "Corrective Smooth modifier and bake it to a shape key.",
			.maya = "Paint with the Smooth operation of Paint Skin Weights around the "
				"joint, or "
				"add a corrective blend shape for the pose.",
			.message = "{value:%} of the surface is inside out at {time:3} s of "
				   "{clip}, most of "
				   "it at {joint}",
			.example = "23.8 % of the surface is inside out at 2.600 s of bend, most "
				   "of it at J0",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.03, 0.1},
		},
	.pass = &pass,
};
