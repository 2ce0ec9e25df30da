// surface/method: where it matters how the figure is skinned.
#include <math.h>
#include <string.h>

#include "check/by_method.h"
#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"

/* Samples of a clip that are skinned twice, spread evenly. */
#define SAMPLES_MAX 32

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	struct check_by_method *other; // NULL = there is nothing to compare with
	int stride, count;             // of surface samples
	double most;                   // distance; -1 = none yet
	int sample, vertex;
	struct check_series curve;
};

/* The one of lbs and dqs that is not checked; NULL where neither is. */
static const char *find_other(const struct check_asset *asset) {
	const char *method = asset->profile->settings.skinning;
	if (!method || strcmp(method, "lbs") == 0) {
		return "dqs";
	}
	return strcmp(method, "dqs") == 0 ? "lbs" : NULL;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const int samples = (clip->count + clip->surface_stride - 1) / clip->surface_stride;
	const char *id = find_other(asset);
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){
		.asset = asset,
		.clip = clip,
		.other = id ? check_by_method_create(asset, id, arena) : NULL,
		.stride = (samples + SAMPLES_MAX - 1) / SAMPLES_MAX,
		.most = -1,
		.sample = -1,
		.vertex = -1,
		.curve = check_series_make(clip, arena),
	};
	return state;
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const struct check_surface *surface = state->asset->surface;
	(void)sink;
	if (!state->other || state->count++ % state->stride != 0) {
		return;
	}
	const struct check_surface_sample *other = check_by_method_pose(state->other, &sample->at);
	double most = 0;
	int vertex = -1;
	for (int i = 0; other && i < surface->skinned_count; i++) {
		const float *a = sample->positions + (size_t)surface->skinned[i] * 3;
		const float *b = other->positions + (size_t)surface->skinned[i] * 3;
		const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
		const double z = (double)a[2] - (double)b[2];
		const double square = x * x + y * y + z * z;
		if (square > most && square < INFINITY) {
			most = square;
			vertex = surface->skinned[i];
		}
	}
	most = sqrt(most);
	check_series_add(&state->curve, &sample->at, most / state->asset->length);
	if (most > state->most) {
		state->most = most;
		state->sample = sample->at.sample;
		state->vertex = vertex;
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	if (!state->other) {
		check_skip(sink, &check_rule_surface_method, "neither lbs nor dqs is checked");
		return;
	}
	const int vertex = state->vertex;
	const uint32_t vertices[] = {(uint32_t)vertex};
	struct check_value value =
		check_value_at(state->clip, fmax(state->most, 0) / state->asset->length,
			vertex < 0 ? -1 : state->asset->dominant[vertex], state->sample);
	value.vertices = vertices;
	value.vertex_count = vertex >= 0;
	value.curve = check_series_around(&state->curve, state->sample);
	check_emit(sink, &check_rule_surface_method, &value);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_method = {
	.info =
		{
			.id = "surface/method",
			.unit = "L",
			.catches = "clips that look different with another skinning method",
			.definition = "The greatest distance between a vertex skinned linearly "
				      "(lbs) and the same "
				      "vertex skinned with dual quaternions (dqs), as a share of "
				      "the figure's "
				      "length, over up to 32 samples of the clip, spread evenly.",
			.effect =
				"The figure looks otherwise in an engine that skins the other way.",
			.fix = "Look at {joint} at {time:3} s of {clip} with the method of your "
			       "engine, and "
			       "set the same one in your modelling program.",
			.blender = "Preserve Volume in the Armature modifier is dual quaternions; "
				   "without "
				   "it Blender skins linearly.",
			.maya = "Set the skinCluster's Skinning Method to that of the engine: "
				"Classic "
				"Linear or Dual Quaternion.",
			.message =
				"Linear skinning and dual quaternions differ by {value:%} of the "
				"figure's length at {joint}, at {time:3} s of {clip}",
			.example = "Linear skinning and dual quaternions differ by 3.6 % of the "
				   "figure's length at Spine, at 2.000 s of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {0.02, INFINITY, INFINITY},
		},
	.pass = &pass,
};
