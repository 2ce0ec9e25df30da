// surface/volume: closed parts that lose or gain volume.
#include <math.h>
#include <string.h>

#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"

/* The worst of one part. */
struct change {
	double share; // |V' / V - 1|; -1 = none yet
	double ratio; // V' / V
	int sample;
	int joint; // that most of its corners follow
	uint32_t triangles[CHECK_ELEMENTS_MAX];
	size_t count;
};

struct state {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const struct check_clip *clip;
	struct change *changes; // [part_count]
	double *volumes;        // [closed.count] of a part's triangles, times 6
	double (*room)[3];      // [vertex_count]
	struct check_series curve;
};

/* Some triangles from all over a part, and the joint that most of its corners follow. */
static void describe(const struct check_asset *asset, const struct check_part *part, int *hits,
	struct change *change) {
	const struct check_triangles *closed = &asset->surface->closed;
	memset(hits, 0, (size_t)asset->rig->joint_count * sizeof *hits);
	*change = (struct change){.share = -1, .sample = -1, .joint = -1};
	for (int i = part->first * 3; i < (part->first + part->count) * 3; i++) {
		hits[asset->dominant[closed->corners[i / 3][i % 3]]]++;
	}
	for (int i = 0; i < asset->rig->joint_count; i++) {
		if (hits[i] > 0 && (change->joint < 0 || hits[i] > hits[change->joint])) {
			change->joint = i;
		}
	}
	const int step = part->count / CHECK_ELEMENTS_MAX + 1;
	for (int i = 0; i < part->count; i += step) {
		change->triangles[change->count++] = closed->ids[part->first + i];
	}
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	int *hits = arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *hits);
	state->asset = asset;
	state->surface = surface;
	state->clip = clip;
	state->changes = arena_alloc(arena, (size_t)surface->part_count, sizeof *state->changes);
	state->volumes = arena_alloc(arena, (size_t)surface->closed.count, sizeof *state->volumes);
	state->curve = check_series_make(clip, arena);
	for (int i = 0; i < surface->part_count; i++) {
		describe(asset, &surface->parts[i], hits, &state->changes[i]);
	}
	if (surface->has_targets) {
		state->room =
			arena_alloc(arena, (size_t)surface->vertex_count, sizeof *state->room);
	}
	return state;
}

/* The volume of a part, summed from one of its vertices. */
static double volume_of(
	const struct state *state, const struct check_part *part, const check_point *points) {
	const int(*corners)[3] = state->surface->closed.corners + part->first;
	double sum = 0;
	check_sums_volumes(points, points[corners[0][0]], corners, part->count, state->volumes);
	for (int i = 0; i < part->count; i++) {
		sum += state->volumes[i];
	}
	return sum / 6;
}

/* The volume of the reference shape, with the sample's morph targets. */
static double reference_volume(
	struct state *state, const struct check_part *part, const double (*reference)[3]) {
	return reference == state->surface->reference
		? part->volume
		: part->inside * check_part_volume(state->surface, part, reference);
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const struct check_surface *surface = state->surface;
	const double(*reference)[3] = check_surface_reference(surface, sample, state->room);
	double most = 0;
	(void)sink;
	for (int i = 0; i < surface->part_count; i++) {
		const struct check_part *part = &surface->parts[i];
		struct change *change = &state->changes[i];
		const double ratio = volume_of(state, part, sample->points) /
			reference_volume(state, part, reference);
		const double share = fabs(ratio - 1);
		most = fmax(most, share);
		if (share > change->share && share < INFINITY) {
			change->share = share;
			change->ratio = ratio;
			change->sample = sample->at.sample;
		}
	}
	check_series_add(&state->curve, &sample->at, most);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	if (state->surface->part_count == 0) {
		check_skip(sink, &check_rule_surface_volume, "no part of the surface is closed");
		return;
	}
	for (int i = 0; i < state->surface->part_count; i++) {
		const struct change *change = &state->changes[i];
		struct check_value value = check_value_at(
			state->clip, fmax(change->share, 0), change->joint, change->sample);
		value.triangles = change->triangles;
		value.triangle_count = change->count;
		value.curve = check_series_around(&state->curve, change->sample);
		value.joins_joints = true;
		check_value_param(&value, "ratio", change->ratio);
		check_emit(sink, &check_rule_surface_volume, &value);
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_volume = {
	.info =
		{
			.id = "surface/volume",
			.unit = "share",
			.catches = "closed parts that lose or gain volume",
			.definition = "For each closed part of the skinned mesh (connected where "
				      "vertices lie at "
				      "one place at rest, every edge in exactly two triangles, at "
				      "least 5 % of "
				      "the area), how far its volume is from that of the bind pose "
				      "with the "
				      "sample's morph targets, as a share of that, at the worst "
				      "sample of the "
				      "clip.",
			.effect = "The figure looks deflated or inflated: thin joints, sunken "
				  "shoulders.",
			.fix = "Look at the joints of the part at {joint} at {time:3} s: spread "
			       "their turns, "
			       "smooth the weights, or add a corrective shape.",
			.blender = "Smooth the weights around the bent joints, tick Preserve "
				   "Volume in the "
				   "Armature modifier, or drive a corrective shape key.",
			.maya = "Smooth the weights around the bent joints, use the skinning "
				"method Weight "
				"Blended, or add a corrective blend shape.",
			.message =
				"The closed part at {joint}{text} has {ratio:%} of its volume at "
				"{time:3} s of "
				"{clip}",
			.example = "The closed part at Head has 473 % of its volume at 2.000 s of "
				   "Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.25, 0.6},
		},
	.pass = &pass,
};
