// surface/spike, surface/stretch, surface/shrink: edges that change their lengths.
#include <math.h>
#include <string.h>

#include "check/percentile.h"
#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"
#include "check/worst.h"

#define STRETCH_SHARE 0.995
#define SHRINK_SHARE 0.005
#define SHRINK_MAX 1e6

/* Squares of ratios from here on are no numbers: as floats they are INFINITY. */
#define RATIO_END 0x1.ffffffp+127

/* More than what the squares of ratios are rounded by. */
#define ROUNDING 1e-9

/* The worst percentile so far. */
struct extreme {
	double ratio; // stretch or shrink; 0 = none yet
	int sample, joint;
	uint32_t vertices[CHECK_ELEMENTS_MAX];
	size_t count;
};

struct state {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const struct check_clip *clip;
	double *inverse;       // [all edges] 1 / length^2 of the reference shape
	double *lengths;       // [all edges] of the sample's reference shape
	double *morph_inverse; // the same of one with morph targets; 0 = too short
	double (*room)[3];     // [vertex_count]
	double *ratios;        // [all edges] squares
	double *members;       // [all edges] those that may be beyond an extreme
	int *beyond;           // [all edges] their edges
	int *grown;            // [all edges] those that grow more than most
	int *hits;             // [vertex_count] how many of them are at a vertex
	int *joint_hits;       // [joint_count]
	struct check_worst_list spikes;
	double most;  // greatest growth
	double limit; // growth from which on every one counts; INFINITY = none does
	struct extreme stretch, shrink;
	struct check_series curve; // of growth
};

static int edge_total(const struct check_surface *surface) {
	return surface->edge_count + (surface->has_targets ? surface->short_edge_count : 0);
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	const size_t all = (size_t)edge_total(surface), vertices = (size_t)surface->vertex_count;
	const size_t joints = (size_t)asset->rig->joint_count;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->asset = asset;
	state->surface = surface;
	state->clip = clip;
	state->inverse = arena_alloc(arena, all, sizeof *state->inverse);
	state->ratios = arena_alloc(arena, all, sizeof *state->ratios);
	state->members = arena_alloc(arena, all, sizeof *state->members);
	state->beyond = arena_alloc(arena, all, sizeof *state->beyond);
	state->grown = arena_alloc(arena, all, sizeof *state->grown);
	state->hits = arena_alloc(arena, vertices, sizeof *state->hits);
	state->joint_hits = arena_alloc(arena, joints, sizeof *state->joint_hits);
	state->spikes = check_worst_make(asset, arena);
	state->curve = check_series_make(clip, arena);
	for (int i = 0; i < surface->edge_count; i++) {
		const double length = surface->edge_lengths[i];
		state->inverse[i] = 1 / (length * length);
	}
	if (surface->has_targets) {
		state->room = arena_alloc(arena, vertices, sizeof *state->room);
		state->lengths = arena_alloc(arena, all, sizeof *state->lengths);
		state->morph_inverse = arena_alloc(arena, all, sizeof *state->morph_inverse);
	}
	return state;
}

/* The edges of a sample with their reference lengths. */
struct edges {
	int count;
	const int (*ends)[2];
	const double *lengths, *inverse; // [count]
};

static struct edges edges_at(struct state *state, const struct check_surface_sample *sample) {
	const struct check_surface *surface = state->surface;
	if (!sample->is_morphed || !surface->has_targets) {
		return (struct edges){
			surface->edge_count, surface->edges, surface->edge_lengths, state->inverse};
	}
	const double(*at)[3] = check_surface_reference(surface, sample, state->room);
	const double least = CHECK_EDGE_LENGTH * state->asset->length;
	const int all = edge_total(surface);
	for (int i = 0; i < all; i++) {
		const double *a = at[surface->edges[i][0]], *b = at[surface->edges[i][1]];
		const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
		const double square = x * x + y * y + z * z;
		const double length = sqrt(square);
		state->lengths[i] = length > least ? length : INFINITY;
		// INFINITY counts as no number: see RATIO_END.
		state->morph_inverse[i] = length > least ? 1 / square : INFINITY;
	}
	return (struct edges){all, surface->edges, state->lengths, state->morph_inverse};
}

/* Fills the ratios, and lists the edges that grow more than the least that matters. Returns how
 * many are listed; the greatest growth in *greatest. */
static int measure(struct state *state, const struct edges *edges, const check_point *points,
	double *greatest) {
	const double matters = fmin(state->most, state->limit);
	int count = 0;
	double most = 0, floor = 0;
	check_sums_edges(points, edges->ends, edges->count, state->ratios);
	for (int i = 0; i < edges->count; i++) {
		const double square = state->ratios[i], length = edges->lengths[i];
		state->ratios[i] = square * edges->inverse[i];
		// The same as sqrt(square) - length > floor.
		if (square > length * (length + 2 * floor) + floor * floor && square < INFINITY) {
			const double growth = sqrt(square) - length;
			if (growth > matters) {
				state->grown[count++] = i;
			}
			most = fmax(most, growth);
			floor = fmin(most, matters);
		}
	}
	state->most = fmax(state->most, most);
	*greatest = most;
	return count;
}

/* --- Percentiles --- */

/* The parts of a sample that may still exceed the extremes so far. */
struct limits {
	double least; // squares of ratios below cannot be part of a greater stretch
	double most;  // those above not of a greater shrink
	int count;    // of edges whose ratio is a number
	int low;      // of these, below least
	int small;    // at most most
};

static struct limits count_ratios(const struct state *state, int all) {
	const double stretch = state->stretch.ratio, shrink = state->shrink.ratio;
	const double least = stretch * stretch * (1 - ROUNDING);
	const double most = shrink > 0 ? 1 / (shrink * shrink) * (1 + ROUNDING) : INFINITY;
	const double *ratios = state->ratios;
	int64_t count = 0, low = 0, small = 0;
	for (int i = 0; i < all; i++) {
		count += ratios[i] < RATIO_END;
		low += ratios[i] < least;
		small += ratios[i] <= most && ratios[i] < RATIO_END;
	}
	return (struct limits){least, most, (int)count, (int)low, (int)small};
}

/* Some edges in their order, with the squares of their ratios. */
struct chosen {
	int edge_count;   // of state->beyond
	int member_count; // of state->members: those of them whose ratio is a number
	int before;       // such ratios of other edges that are less
};

static struct chosen choose(struct state *state, int all, const struct limits *limits, bool above) {
	struct chosen chosen = {.before = above ? limits->low : 0};
	for (int i = 0; i < all; i++) {
		const double ratio = state->ratios[i];
		if (above ? ratio >= limits->least && ratio < INFINITY : ratio <= limits->most) {
			state->beyond[chosen.edge_count++] = i;
			state->members[chosen.member_count] = ratio;
			chosen.member_count += ratio < RATIO_END;
		}
	}
	return chosen;
}

/* The square of the ratio at a rank of all: of one that is chosen, or of the next beside them. */
static double ratio_at(struct state *state, int all, const struct chosen *chosen,
	const struct limits *limits, int rank) {
	const int at = rank - chosen->before;
	if (at >= 0 && at < chosen->member_count) {
		return check_select(state->members, chosen->member_count, at);
	}
	double below = -INFINITY, above = INFINITY;
	for (int i = 0; i < all; i++) {
		const double ratio = state->ratios[i];
		below = ratio < limits->least && ratio > below ? ratio : below;
		above = ratio > limits->most && ratio < above ? ratio : above;
	}
	return at < 0 ? below : above;
}

static double percentile(struct state *state, int all, const struct chosen *chosen,
	const struct limits *limits, double share) {
	const double at = share * (limits->count - 1);
	const int rank = (int)at;
	const double low = sqrt(ratio_at(state, all, chosen, limits, rank));
	const double high = rank + 1 < limits->count
		? sqrt(ratio_at(state, all, chosen, limits, rank + 1))
		: low;
	return low + (at - rank) * (high - low);
}

/* The joint that most of the edges beyond a ratio are at, and some of their vertices. */
static void locate(struct state *state, const struct edges *edges, const struct chosen *chosen,
	double square, bool above, struct extreme *extreme) {
	const int *dominant = state->asset->dominant;
	int count = 0;
	memset(state->joint_hits, 0,
		(size_t)state->asset->rig->joint_count * sizeof *state->joint_hits);
	extreme->joint = -1;
	extreme->count = 0;
	for (int i = 0; i < chosen->edge_count; i++) {
		const int edge = state->beyond[i];
		if (above ? state->ratios[edge] >= square : state->ratios[edge] <= square) {
			const int joint = dominant[edges->ends[edge][0]];
			state->beyond[count++] = edge;
			state->joint_hits[joint]++;
			if (extreme->joint < 0 ||
				state->joint_hits[joint] > state->joint_hits[extreme->joint]) {
				extreme->joint = joint;
			}
		}
	}
	for (int i = 0; i < count && extreme->count < CHECK_ELEMENTS_MAX; i++) {
		const int vertex = edges->ends[state->beyond[i]][0];
		if (dominant[vertex] == extreme->joint &&
			(extreme->count == 0 ||
				extreme->vertices[extreme->count - 1] != (uint32_t)vertex)) {
			extreme->vertices[extreme->count++] = (uint32_t)vertex;
		}
	}
}

/* Takes the percentile of a sample if it is worse than those before. */
static void note_extreme(struct state *state, const struct edges *edges,
	const struct limits *limits, bool above, struct extreme *extreme, int sample) {
	const double share = above ? STRETCH_SHARE : SHRINK_SHARE;
	// Interpolated between two ranks, of which this is the worse.
	const int rank = (int)(share * (limits->count - 1)) + (above && limits->count > 1);
	if (above ? rank < limits->low : rank >= limits->small) {
		return;
	}
	const struct chosen chosen = choose(state, edges->count, limits, above);
	const double value = percentile(state, edges->count, &chosen, limits, share);
	const double ratio = above ? value : value > 1 / SHRINK_MAX ? 1 / value : SHRINK_MAX;
	if (ratio > extreme->ratio) {
		const double margin = above ? 1 - 1e-12 : 1 + 1e-12;
		extreme->ratio = ratio;
		extreme->sample = sample;
		locate(state, edges, &chosen, value * value * margin, above, extreme);
	}
}

/* --- Spikes --- */

/* The end of a grown edge that leaves the others: it has more of them. */
static int leaver_of(const struct state *state, const int ends[static 2]) {
	return state->hits[ends[1]] > state->hits[ends[0]] ? ends[1] : ends[0];
}

/* The joint of a grown edge is that of the end that stays with the others. */
static int joint_of(const struct state *state, const int ends[static 2]) {
	return state->asset->dominant[ends[leaver_of(state, ends) == ends[0]]];
}

static void note_spikes(struct state *state, const struct edges *edges, int count, int sample) {
	for (int i = 0; i < count; i++) {
		const int *ends = edges->ends[state->grown[i]];
		state->hits[ends[0]]++;
		state->hits[ends[1]]++;
	}
	// Twice: the vertex of the greatest growth comes first.
	for (int i = 0; i < 2 * count; i++) {
		const int edge = state->grown[i % count], *ends = edges->ends[edge];
		const int joint = joint_of(state, ends);
		const double growth = (sqrt(state->ratios[edge]) - 1) * edges->lengths[edge] /
			state->asset->length;
		if (i >= count || check_worst_take(&state->spikes, joint, growth, sample)) {
			check_worst_add(&state->spikes, joint, growth, sample,
				(uint32_t)leaver_of(state, ends));
		}
	}
	for (int i = 0; i < count; i++) {
		const int *ends = edges->ends[state->grown[i]];
		state->hits[ends[0]] = state->hits[ends[1]] = 0;
	}
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	state->limit = check_least_limit(sink, &check_rule_surface_spike) * state->asset->length;
	const struct edges edges = edges_at(state, sample);
	double most;
	const int grown = measure(state, &edges, sample->points, &most);
	check_series_add(&state->curve, &sample->at, most / state->asset->length);
	note_spikes(state, &edges, grown, sample->at.sample);
	const struct limits limits = count_ratios(state, edges.count);
	if (limits.count > 0) {
		note_extreme(state, &edges, &limits, true, &state->stretch, sample->at.sample);
		note_extreme(state, &edges, &limits, false, &state->shrink, sample->at.sample);
	}
}

/* --- Results --- */

static void emit_extreme(const struct state *state, const struct check_rule *rule,
	const struct extreme *extreme, struct check_sink *sink) {
	if (!(extreme->ratio > 0)) {
		check_skip(sink, rule, "no edge is long enough to be measured");
		return;
	}
	struct check_value value =
		check_value_at(state->clip, extreme->ratio, extreme->joint, extreme->sample);
	value.vertices = extreme->vertices;
	value.vertex_count = extreme->count;
	check_emit(sink, rule, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	check_worst_emit(&state->spikes, state->clip, &check_rule_surface_spike,
		CHECK_WORST_VERTICES, &state->curve, sink);
	emit_extreme(state, &check_rule_surface_stretch, &state->stretch, sink);
	emit_extreme(state, &check_rule_surface_shrink, &state->shrink, sink);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_surface_spike = {
	.info =
		{
			.id = "surface/spike",
			.unit = "L",
			.catches = "a vertex that is pulled out of the figure by a stray weight",
			.definition = "The greatest growth of an edge of the skinned mesh against "
				      "its length in "
				      "the bind pose, as a share of the figure's length, over all "
				      "samples of the "
				      "clip. Edges shorter than 0.002 are left out. Lengths of the "
				      "bind pose are "
				      "those with the sample's morph targets.",
			.effect = "A long thin triangle sticks out of the figure and flickers as "
				  "it moves.",
			.fix = "Give the listed vertices the weights of their neighbours: one of "
			       "their "
			       "influences belongs to a joint that is far from {joint}.",
			.blender =
				"In Weight Paint Mode select the vertices (V), and run Weights > "
				"Smooth, "
				"or remove the stray group in the sidebar's Vertex Weights panel.",
			.maya = "Select the vertices, open the Component Editor's Smooth Skins tab "
				"and set "
				"the stray joint's weight to 0, or use Skin > Hammer Skin Weights.",
			.message =
				"An edge at {joint}{text} grows by {value:%} of the figure's "
				"length at "
				"{time:3} s of {clip}: a vertex follows a joint that is far away",
			.example = "An edge at RightFoot grows by 13.9 % of the figure's length at "
				   "0.000 s of Walk: a vertex follows a joint that is far away",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.12, 0.35},
		},
	.pass = &pass,
};

const struct check_rule check_rule_surface_stretch = {
	.info =
		{
			.id = "surface/stretch",
			.unit = "ratio",
			.catches = "skin that is drawn out",
			.definition = "The lengths of the skinned mesh's edges, divided by their "
				      "lengths in the "
				      "bind pose: the 99.5th percentile, at the worst sample of "
				      "the clip. Edges "
				      "shorter than 0.002 of the figure's length are left out.",
			.effect = "Textures smear, and the silhouette gets corners.",
			.fix = "Smooth the weights around {joint} over a wider region, or add edge "
			       "loops "
			       "there.",
			.blender =
				"In Weight Paint Mode run Weights > Smooth with several iterations "
				"around the joint, or add edge loops in Edit Mode (Ctrl+R).",
			.maya = "Paint with the Smooth operation of Paint Skin Weights around the "
				"joint, or "
				"insert edge loops there.",
			.message =
				"Edges at {joint} are drawn out to {value} times their length at "
				"{time:3} s of {clip}",
			.example = "Edges at LeftShoulder are drawn out to 4.211 times their "
				   "length at 2.000 s of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 3, 6},
		},
	.pass = &pass,
};

const struct check_rule check_rule_surface_shrink = {
	.info =
		{
			.id = "surface/shrink",
			.unit = "ratio",
			.catches = "skin that is pressed together",
			.definition = "How many times shorter the edges of the skinned mesh are "
				      "than in the bind "
				      "pose: 1 divided by the 0.5th percentile of their ratios, at "
				      "the worst "
				      "sample of the clip, and at most 1,000,000. Edges shorter "
				      "than 0.002 of the "
				      "figure's length are left out.",
			.effect = "The skin creases, and texture and shading bunch up.",
			.fix = "Smooth the weights around {joint}, or spread its rotation over "
			       "more joints.",
			.blender =
				"In Weight Paint Mode run Weights > Smooth around the joint, or "
				"add a "
				"twist bone with a Copy Rotation constraint of half its influence.",
			.maya = "Smooth the weights around the joint, or add a twist joint between "
				"the two.",
			.message = "Edges at {joint} are pressed to 1/{value} of their length at "
				   "{time:3} s "
				   "of {clip}",
			.example = "Edges at Head are pressed to 1/12.5 of their length at 2.000 s "
				   "of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 6, 20},
		},
	.pass = &pass,
};
