// surface/tear: seams that open.
#include <math.h>

#include "base/vec.h"
#include "check/rules.h"
#include "check/surface.h"
#include "check/worst.h"

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	int *open; // [seam_count] seams that are farther apart than matters
	double most;
	struct check_worst_list worst;
	struct check_series curve;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->asset = asset;
	state->clip = clip;
	state->open = arena_alloc(arena, (size_t)asset->surface->seam_count, sizeof *state->open);
	state->worst = check_worst_make(asset, arena);
	state->curve = check_series_make(clip, arena);
	return state;
}

/* The square of the distance of a seam's two vertices. */
static double square_of(const struct state *state, int seam, const float *positions) {
	const int *pair = state->asset->surface->seams[seam];
	const float *a = positions + (size_t)pair[0] * 3, *b = positions + (size_t)pair[1] * 3;
	const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
	const double z = (double)a[2] - (double)b[2];
	return x * x + y * y + z * z;
}

/* Lists the seams that are farther apart than any was before, or than the lowest limit. */
static int find_open(struct state *state, const float *positions, double limit, double *greatest) {
	const double matters = fmin(state->most, limit);
	int count = 0;
	*greatest = 0;
	for (int i = 0; i < state->asset->surface->seam_count; i++) {
		const double square = square_of(state, i, positions);
		if (square > matters * matters && square < INFINITY) {
			state->open[count++] = i;
		}
		if (square > *greatest && square < INFINITY) {
			*greatest = square;
		}
	}
	*greatest = sqrt(*greatest);
	state->most = fmax(state->most, *greatest);
	return count;
}

static double distance_at_rest(const struct check_asset *asset, int vertex) {
	const double *world = asset->rest_world[asset->dominant[vertex]];
	const double joint[3] = {world[3], world[7], world[11]};
	double apart[3];
	vec3_sub(asset->rest_vertices[vertex], joint, apart);
	return vec3_length(apart);
}

/* Of the joints that the two vertices follow, the nearer one: a stray weight is of one far away. */
static int joint_of(const struct check_asset *asset, const int pair[static 2]) {
	const bool second = distance_at_rest(asset, pair[1]) < distance_at_rest(asset, pair[0]);
	return asset->dominant[pair[second]];
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const double length = state->asset->length;
	double most;
	const int count = find_open(state, sample->positions,
		check_least_limit(sink, &check_rule_surface_tear) * length, &most);
	check_series_add(&state->curve, &sample->at, most / length);
	// Twice: the seam that is open the most comes first.
	for (int i = 0; i < 2 * count; i++) {
		const int seam = state->open[i % count];
		const int *pair = state->asset->surface->seams[seam];
		const int joint = joint_of(state->asset, pair), at = sample->at.sample;
		const double apart = sqrt(square_of(state, seam, sample->positions)) / length;
		if (i >= count || check_worst_take(&state->worst, joint, apart, at)) {
			check_worst_add(&state->worst, joint, apart, at, (uint32_t)pair[0]);
			check_worst_add(&state->worst, joint, apart, at, (uint32_t)pair[1]);
		}
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	check_worst_emit(&state->worst, state->clip, &check_rule_surface_tear, CHECK_WORST_VERTICES,
		&state->curve, sink);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_tear = {
	.info =
		{
			.id = "surface/tear",
			.unit = "L",
			.catches = "seams that open",
			.definition = "Vertices that lie at one place at rest (within 0.00001 of "
				      "the figure's "
				      "length) on both sides of an edge that two triangles share "
				      "are a seam: of "
				      "texture coordinates, of hard edges, between materials or "
				      "between meshes. "
				      "The value is the greatest distance between the two over all "
				      "samples of "
				      "the clip, as a share of the figure's length. Seams that a "
				      "morph target "
				      "opens, such as lips, are left out.",
			.effect = "A gap opens in the skin, and one looks into the figure or "
				  "through it.",
			.fix = "Give both vertices of the seam at {joint} the same weights.",
			.blender = "Select the vertices on both sides of the seam, run Weights > "
				   "Smooth "
				   "or copy the weights (Vertex Weights panel, Copy); for two "
				   "objects use "
				   "the Data Transfer modifier with Vertex Groups.",
			.maya = "Select the vertices and run Skin > Copy Vertex Weights and Paste "
				"Vertex "
				"Weights, or Skin > Copy Skin Weights between two meshes.",
			.message = "A seam at {joint}{text} opens by {value:%} of the figure's "
				   "length at "
				   "{time:3} "
				   "s of {clip}",
			.example = "A seam at LeftArm opens by 3.89 % of the figure's length at "
				   "0.540 s of Walk",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.001, 0.01},
		},
	.pass = &pass,
};
