// surface/collapse: joints whose skin folds or wrings to nothing.
#include <math.h>

#include "check/by_method.h"
#include "check/percentile.h"
#include "check/rules.h"
#include "check/surface.h"
#include "check/worst.h"

#define SHARE 0.05

/* Vertices whose ratio is no farther above the percentile are listed. */
#define NEAR_WORST 0.05

/* The worst of one support. */
struct fold {
	double ratio; // the 5th percentile; INFINITY = none yet
	double least;
	int sample;
	uint32_t vertices[CHECK_ELEMENTS_MAX]; // whose ratio is near the percentile, or below
	size_t count;
};

struct state {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const struct check_clip *clip;
	struct arena *arena;
	struct fold *folds; // [support_count]
	double *squares;    // [longest support] of ratios
	double *members;    // the same
	double (*room)[3];  // [vertex_count]
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){asset, surface, clip, arena,
		.folds = arena_alloc(arena, (size_t)surface->support_count, sizeof *state->folds)};
	int longest = 0;
	for (int i = 0; i < surface->support_count; i++) {
		const int count = surface->supports[i].count;
		longest = count > longest ? count : longest;
		state->folds[i].ratio = INFINITY;
	}
	state->squares = arena_alloc(arena, (size_t)longest, sizeof *state->squares);
	state->members = arena_alloc(arena, (size_t)longest, sizeof *state->members);
	if (surface->has_targets) {
		state->room =
			arena_alloc(arena, (size_t)surface->vertex_count, sizeof *state->room);
	}
	return state;
}

/* Fills the squares of the ratios of distances from the joint, now and in the reference shape.
 * Returns how many of them are below a square. */
static int measure(struct state *state, const struct check_support *support,
	const struct check_surface_sample *sample, const double (*reference)[3], double below) {
	const double *world = sample->at.world[support->joint];
	const double x = world[3], y = world[7], z = world[11];
	const bool morphed = reference != state->surface->reference;
	int count = 0;
	for (int i = 0; i < support->count; i++) {
		const int vertex = support->vertices[i];
		const float *at = sample->positions + (size_t)vertex * 3;
		const double dx = (double)at[0] - x, dy = (double)at[1] - y, dz = (double)at[2] - z;
		double distance = support->distances[i];
		if (morphed) {
			const double *from = reference[vertex], *centre = support->centre;
			const double away[3] = {
				from[0] - centre[0], from[1] - centre[1], from[2] - centre[2]};
			distance = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
		}
		const double square = (dx * dx + dy * dy + dz * dz) / (distance * distance);
		state->squares[i] = square < INFINITY ? square : INFINITY;
		count += state->squares[i] < below;
	}
	return count;
}

/* The 5th percentile of the ratios that were measured. */
static double find_percentile(struct state *state, const struct check_support *support) {
	for (int i = 0; i < support->count; i++) {
		state->members[i] = sqrt(state->squares[i]);
	}
	return check_percentile(state->members, support->count, SHARE);
}

static void note_fold(struct state *state, const struct check_support *support, double ratio,
	int sample, struct fold *fold) {
	*fold = (struct fold){.ratio = ratio, .least = INFINITY, .sample = sample};
	const double most = (ratio + NEAR_WORST) * (ratio + NEAR_WORST);
	for (int i = 0; i < support->count; i++) {
		fold->least = fmin(fold->least, sqrt(state->squares[i]));
		if (state->squares[i] <= most && fold->count < CHECK_ELEMENTS_MAX) {
			fold->vertices[fold->count++] = (uint32_t)support->vertices[i];
		}
	}
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const double(*reference)[3] = check_surface_reference(state->surface, sample, state->room);
	(void)sink;
	for (int i = 0; i < state->surface->support_count; i++) {
		const struct check_support *support = &state->surface->supports[i];
		struct fold *fold = &state->folds[i];
		const int rank = (int)(SHARE * (support->count - 1));
		const int below =
			measure(state, support, sample, reference, fold->ratio * fold->ratio);
		// With fewer below, the percentile cannot be.
		if (below <= rank) {
			continue;
		}
		const double ratio = find_percentile(state, support);
		if (ratio < fold->ratio) {
			note_fold(state, support, ratio, sample->at.sample, fold);
		}
	}
}

/* The collapse of a support at its worst sample with another method; NAN = not known. */
static double collapse_with(struct state *state, struct check_by_method *by, int index) {
	const struct check_support *support = &state->surface->supports[index];
	const struct check_surface_sample *sample =
		by ? check_by_method_sample(by, state->clip, state->folds[index].sample) : NULL;
	if (!sample) {
		return NAN;
	}
	measure(state, support, sample,
		check_surface_reference(state->surface, sample, state->room), 0);
	return fmax(1 - find_percentile(state, support), 0);
}

static void end(void *context, struct check_sink *sink) {
	struct state *state = context;
	const struct check_rule *rule = &check_rule_surface_collapse;
	const double limit = check_least_limit(sink, rule);
	struct check_by_method *dqs = NULL;
	for (int i = 0; i < state->surface->support_count; i++) {
		const struct fold *fold = &state->folds[i];
		struct check_value value = check_value_at(state->clip, fmax(1 - fold->ratio, 0),
			state->surface->supports[i].joint, fold->sample);
		value.vertices = fold->vertices;
		value.vertex_count = fold->count;
		value.joins_joints = true;
		check_value_param(&value, "least", fold->least);
		if (value.value >= limit) {
			dqs = dqs ? dqs : check_by_method_create(state->asset, "dqs", state->arena);
			check_value_param(&value, "dqs", collapse_with(state, dqs, i));
		}
		check_emit(sink, rule, &value);
	}
	if (state->surface->support_count == 0) {
		check_skip(sink, rule, "no joint shares vertices with the one above it");
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_collapse = {
	.info =
		{
			.id = "surface/collapse",
			.unit = "1",
			.catches = "joints whose skin folds flat or wrings to nothing",
			.definition = "For each joint and the nearest joint above it in the skin, "
				      "the vertices "
				      "that have more than 0.1 of the weight of both (6 or more of "
				      "them). Their "
				      "distances from the joint are divided by those in the bind "
				      "pose; the value "
				      "is 1 minus the 5th percentile of these ratios, at the worst "
				      "sample of the "
				      "clip: 0 where the limb keeps its thickness, 1 where it is a "
				      "point.",
			.effect =
				"A wrist wrings like a sweet wrapper, an elbow or knee folds flat.",
			.fix = "Spread the turn of {joint} over twist joints, or use dual "
			       "quaternions "
			       "where the engine has them.",
			.blender = "Tick Preserve Volume in the Armature modifier (engines must "
				   "support "
				   "it), or add twist bones with Copy Rotation constraints and "
				   "paint the "
				   "weights over them.",
			.maya = "Set the skinCluster's Skinning Method to Dual Quaternion or "
				"Weight "
				"Blended, or add twist joints and paint the weights over them.",
			.message = "The skin around {joint}{text} collapses by {value:2} at "
				   "{time:3} s "
				   "of {clip} "
				   "(1 is to a point); with dual quaternions it would by {dqs:2}",
			.example = "The skin around LeftForeArm collapses by 0.86 at 2.067 s of "
				   "Idle (1 is to a point); with dual quaternions it would by 0.00",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.72, 0.9},
		},
	.pass = &pass,
};
