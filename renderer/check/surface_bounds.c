// surface/bounds, surface/nonfinite: where the skinned vertices get to.
#include <math.h>

#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	struct bounds box; // of the clip
	double beyond;     // the rest bounds; asset's unit
	int beyond_sample, beyond_vertex;
	int nonfinite; // vertices at the worst sample
	int nonfinite_sample;
	uint32_t vertices[CHECK_ELEMENTS_MAX]; // not finite
	struct check_series curve;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->asset = asset;
	state->clip = clip;
	state->box = BOUNDS_NONE;
	state->beyond_sample = state->beyond_vertex = state->nonfinite_sample = -1;
	state->curve = check_series_make(clip, arena);
	return state;
}

/* Extends the box by the sample's; returns how many vertices are not finite. */
static int find_box(
	const struct check_surface *surface, const float *positions, float low[3], float high[3]) {
	int nonfinite = 0;
	for (int k = 0; k < 3; k++) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (int i = 0; i < surface->skinned_count; i++) {
		const float *at = positions + (size_t)surface->skinned[i] * 3;
		// Zero, or no number.
		const float test = (at[0] - at[0]) + (at[1] - at[1]) + (at[2] - at[2]);
		if (test != 0) {
			nonfinite++;
			continue;
		}
		for (int k = 0; k < 3; k++) {
			low[k] = at[k] < low[k] ? at[k] : low[k];
			high[k] = at[k] > high[k] ? at[k] : high[k];
		}
	}
	return nonfinite;
}

static void note_nonfinite(
	struct state *state, const struct check_surface_sample *sample, int count) {
	const struct check_surface *surface = state->asset->surface;
	state->nonfinite = count;
	state->nonfinite_sample = sample->at.sample;
	size_t listed = 0;
	for (int i = 0; i < surface->skinned_count && listed < CHECK_ELEMENTS_MAX; i++) {
		const float *at = sample->positions + (size_t)surface->skinned[i] * 3;
		if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
			state->vertices[listed++] = (uint32_t)surface->skinned[i];
		}
	}
}

/* The first vertex with a coordinate. */
static int find_vertex(
	const struct check_surface *surface, const float *positions, int axis, float coordinate) {
	for (int i = 0; i < surface->skinned_count; i++) {
		if (positions[surface->skinned[i] * 3 + axis] == coordinate) {
			return surface->skinned[i];
		}
	}
	return -1;
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const struct check_surface *surface = state->asset->surface;
	float low[3], high[3];
	const int nonfinite = find_box(surface, sample->positions, low, high);
	(void)sink;
	if (nonfinite > state->nonfinite) {
		note_nonfinite(state, sample, nonfinite);
	}
	double most = 0;
	for (int k = 0; k < 3; k++) {
		const double below = surface->rest_low[k] - (double)low[k];
		const double above = (double)high[k] - surface->rest_high[k];
		const double beyond = fmax(below, above);
		most = fmax(most, beyond);
		state->box.min[k] = fmin(state->box.min[k], (double)low[k]);
		state->box.max[k] = fmax(state->box.max[k], (double)high[k]);
		if (beyond > state->beyond) {
			state->beyond = beyond;
			state->beyond_sample = sample->at.sample;
			state->beyond_vertex = find_vertex(
				surface, sample->positions, k, below > above ? low[k] : high[k]);
		}
	}
	check_series_add(&state->curve, &sample->at, most / state->asset->length);
}

static void emit_bounds(const struct state *state, struct check_sink *sink) {
	const int vertex = state->beyond_vertex;
	const uint32_t vertices[] = {(uint32_t)vertex};
	struct check_value value = check_value_at(state->clip, state->beyond / state->asset->length,
		vertex < 0 ? -1 : state->asset->dominant[vertex], state->beyond_sample);
	value.vertices = vertices;
	value.vertex_count = vertex >= 0;
	value.curve = check_series_around(&state->curve, state->beyond_sample);
	if (state->box.min[0] <= state->box.max[0]) {
		check_tell_bounds(sink, &state->box);
	}
	check_emit(sink, &check_rule_surface_bounds, &value);
}

static void emit_nonfinite(const struct state *state, struct check_sink *sink) {
	struct check_value value =
		check_value_at(state->clip, state->nonfinite, -1, state->nonfinite_sample);
	value.vertices = state->vertices;
	value.vertex_count = (size_t)(state->nonfinite < CHECK_ELEMENTS_MAX ? state->nonfinite
									    : CHECK_ELEMENTS_MAX);
	if (state->nonfinite > 0) {
		value.joint = state->asset->dominant[state->vertices[0]];
	}
	check_emit(sink, &check_rule_surface_nonfinite, &value);
}

static void end(void *context, struct check_sink *sink) {
	emit_bounds(context, sink);
	emit_nonfinite(context, sink);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_bounds = {
	.info =
		{
			.id = "surface/bounds",
			.unit = "L",
			.catches = "a clip that leaves the bounds of the rest pose",
			.definition = "How far the skinned vertices go beyond their box at rest "
				      "along any axis of "
				      "the world, at most over all samples of the clip, as a share "
				      "of the "
				      "figure's length. The report has the box over all clips.",
			.effect = "Engines that cull by the bounds of the file hide the figure "
				  "while parts "
				  "of it are still in view.",
			.fix = "Set the mesh's bounds in the engine to the box of this report, or "
			       "turn "
			       "culling off for it.",
			.blender = "Bounds are not exported from Blender: set them in the engine, "
				   "or keep "
				   "the root in place and move the object.",
			.maya = "Bounds are not exported from Maya: set them in the engine, or "
				"keep the "
				"root in place and move the object.",
			.message = "{clip} leaves the bounds of the rest pose by {value:%} of the "
				   "figure's "
				   "length at {time:3} s",
			.example = "Idle leaves the bounds of the rest pose by 50.1 % of the "
				   "figure's length at 2.000 s",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {0.5, INFINITY, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_surface_nonfinite = {
	.info =
		{
			.id = "surface/nonfinite",
			.unit = "vertices",
			.catches = "skinned vertices at no place",
			.definition = "Vertices whose skinned position is infinite or not a "
				      "number, at most at "
				      "any sample of the clip. Vertices that have no finite "
				      "position in the file "
				      "are left out: mesh/nonfinite counts them.",
			.effect = "Triangles vanish or cover the whole picture; some engines drop "
				  "the "
				  "figure.",
			.fix = "Look for scales of 0 and for broken inverse bind matrices at "
			       "{joint}.",
			.blender = "Look at the bone's scale and location at that frame in the "
				   "Graph Editor, apply all transforms (Ctrl+A > All Transforms), "
				   "and export again.",
			.maya = "Look at the joint's scale and translate curves at that frame in "
				"the Graph Editor, run Modify > Freeze Transformations, and export "
				"again.",
			.message = "{value:#} {value|vertex is|vertices are} at no place at "
				   "{time:3} s of {clip}",
			.example = "3303 vertices are at no place at 1.933 s of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};
