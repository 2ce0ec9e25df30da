// contact/penetration, contact/float: the lowest vertex against the ground.
#include <math.h>

#include "check/rules.h"
#include "check/series.h"
#include "check/surface.h"

/* Vertices that are this share of the way down to the lowest one are listed. */
#define NEAR_LOWEST 0.5

/* Bodies that lie on the ground sink in as flesh does: their limits are so many times as wide. The
 * feet of a figure that lies are parts of its body: other parts are near their height, closer than
 * LYING of the way at rest, which is at least LYING_MIN of L. */
#define BODY_LIMITS 2
#define LYING 0.5
#define LYING_MIN 0.024

/* Parts that dip in for less than this count so many times less: nobody sees them there. */
#define HELD_S 0.1
#define DIP_FACTOR 2

/* The depth of some vertices below the ground. */
struct depth {
	double deepest; // over all samples, as a share of L; -INFINITY = it has no vertices
	int sample, vertex;
	struct check_series curve;
};

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	unsigned char *in_foot; // [vertex_count]
	double lying;           // height of the body above the feet below which the figure lies
	struct depth feet;      // while the figure stands
	struct depth body;      // all else
	uint32_t vertices[CHECK_ELEMENTS_MAX]; // below the ground where the deeper of them is
	size_t count;
};

static struct depth make_depth(const struct check_clip *clip, struct arena *arena) {
	return (struct depth){-INFINITY, -1, -1, check_series_make(clip, arena)};
}

static double find_lying(const struct state *state) {
	const struct check_asset *asset = state->asset;
	double lowest[2] = {INFINITY, INFINITY}; // of the body, of feet
	for (int i = 0; i < asset->surface->skinned_count; i++) {
		const int vertex = asset->surface->skinned[i], part = state->in_foot[vertex];
		lowest[part] = fmin(lowest[part], asset->rest_vertices[vertex][1]);
	}
	const double way = lowest[0] - lowest[1];
	return way > LYING_MIN * asset->length ? LYING * way : -INFINITY;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->asset = asset;
	state->clip = clip;
	state->in_foot = arena_alloc(arena, (size_t)asset->rig->vertex_count, 1);
	state->feet = make_depth(clip, arena);
	state->body = make_depth(clip, arena);
	for (int f = 0; f < asset->foot_count; f++) {
		for (int i = 0; i < asset->feet[f].count; i++) {
			state->in_foot[asset->feet[f].vertices[i]] = 1;
		}
	}
	state->lying = find_lying(state);
	return state;
}

/* Lists the vertices below the ground. */
static void list_vertices(
	struct state *state, const struct check_surface_sample *sample, double lowest) {
	const struct check_surface *surface = state->asset->surface;
	const double ground = state->asset->ground;
	const double listed = ground + NEAR_LOWEST * (lowest - ground);
	state->count = 0;
	for (int i = 0; i < surface->skinned_count; i++) {
		const int vertex = surface->skinned[i];
		const double y = (double)sample->positions[(size_t)vertex * 3 + 1];
		if ((y == lowest || (y <= listed && y < ground)) &&
			state->count < CHECK_ELEMENTS_MAX) {
			state->vertices[state->count++] = (uint32_t)vertex;
		}
	}
}

static double depth_of(const struct state *state, double y) {
	return (state->asset->ground - y) / state->asset->length;
}

static bool follow(struct depth *depth, const struct check_pose *at, double value, int vertex) {
	check_series_add(&depth->curve, at, value);
	if (vertex < 0 || !(value > depth->deepest)) {
		return false;
	}
	depth->deepest = value;
	depth->sample = at->sample;
	depth->vertex = vertex;
	return true;
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	const struct check_surface *surface = state->asset->surface;
	double lowest[2] = {INFINITY, INFINITY}; // of the body, of feet
	int vertices[2] = {-1, -1};
	(void)sink;
	for (int i = 0; i < surface->skinned_count; i++) {
		const int vertex = surface->skinned[i], part = state->in_foot[vertex];
		const double y = (double)sample->positions[(size_t)vertex * 3 + 1];
		if (y < lowest[part]) {
			lowest[part] = y;
			vertices[part] = vertex;
		}
	}
	const bool lies = lowest[0] - lowest[1] < state->lying;
	const int deeper = lies && lowest[1] < lowest[0];
	const double before = fmax(state->feet.deepest, state->body.deepest);
	const double body = depth_of(state, lowest[deeper]), feet = depth_of(state, lowest[1]);
	follow(&state->body, &sample->at, body, vertices[deeper]);
	follow(&state->feet, &sample->at, lies ? 0 : feet, lies ? -1 : vertices[1]);
	if (fmax(body, feet) > before) {
		list_vertices(state, sample, fmin(lowest[0], lowest[1]));
	}
}

/* The depth that is reached for HELD_S on end, at most. */
static double held_depth(const struct state *state, const struct depth *depth) {
	const struct check_clip *clip = state->clip;
	const int needed = (int)ceil(HELD_S * clip->rate / clip->surface_stride - 1e-6) + 1;
	const int count = depth->curve.count, window = needed < count ? needed : count;
	double held = -INFINITY;
	for (int f = 0; f + window <= count; f++) {
		double least = INFINITY;
		for (int i = f; i < f + window; i++) {
			least = fmin(least, depth->curve.values[i]);
		}
		held = fmax(held, least);
	}
	return held;
}

static enum check_level level_at_most(const struct check_asset *asset) {
	return asset->ground_known ? CHECK_ERROR : CHECK_NOTE;
}

static void emit_depth(const struct state *state, const struct depth *depth, double limits_factor,
	struct check_sink *sink) {
	const uint32_t vertex = (uint32_t)depth->vertex;
	const bool deepest = depth->deepest == fmax(state->feet.deepest, state->body.deepest);
	if (depth->vertex < 0) {
		return;
	}
	struct check_value at = check_value_at(state->clip, fmax(depth->deepest, 0),
		state->asset->dominant[vertex], depth->sample);
	const double held = fmax(held_depth(state, depth), 0);
	at.judged = fmax(held, at.value / DIP_FACTOR);
	at.limits_factor = limits_factor;
	at.at_most = level_at_most(state->asset);
	at.vertices = deepest ? state->vertices : &vertex;
	at.vertex_count = deepest ? state->count : 1;
	at.joins_joints = true;
	at.curve = check_series_around(&depth->curve, depth->sample);
	check_value_param(&at, "held", held);
	check_emit(sink, &check_rule_contact_penetration, &at);
}

static void emit_float(const struct state *state, struct check_sink *sink) {
	const struct depth *depth =
		state->feet.deepest >= state->body.deepest ? &state->feet : &state->body;
	struct check_value at = check_value(0);
	if (depth->vertex >= 0) {
		at = check_value_at(state->clip, fmax(-depth->deepest, 0),
			state->asset->dominant[depth->vertex], depth->sample);
		at.curve = check_series_around(&depth->curve, depth->sample);
	}
	at.at_most = level_at_most(state->asset);
	check_emit(sink, &check_rule_contact_float, &at);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const struct check_value none = check_value(0);
	check_emit(sink, &check_rule_contact_penetration, &none);
	emit_depth(state, &state->body, BODY_LIMITS, sink);
	emit_depth(state, &state->feet, 1, sink);
	emit_float(state, sink);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_GROUND,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_contact_penetration = {
	.info =
		{
			.id = "contact/penetration",
			.unit = "L",
			.catches = "feet and other parts that sink into the ground",
			.definition = "How far the lowest skinned vertex gets below the ground, at "
				      "most over all "
				      "samples of the clip, as a share of the figure's length. The "
				      "ground is at "
				      "height 0 if the rest pose's lowest vertex is within 0.05 of "
				      "it, else at "
				      "that vertex, unless the profile says where; such a guess "
				      "gives notes at most. Parts other "
				      "than feet lie on it, and so do feet while the figure does: "
				      "their limits are twice as wide. What is below the ground "
				      "for less than 0.1 s counts half. Meshes that no "
				      "skin moves "
				      "(weapons, capes) are left out, and so are clips in the air, "
				      "by their names "
				      "or the profile.",
			.effect = "Feet vanish in the floor, or the whole figure stands too deep.",
			.fix = "Raise {joint} at {time:3} s of {clip}, or the whole figure if "
			       "every frame "
			       "is too deep.",
			.blender = "Key the foot's IK bone or the hips higher there; a Floor "
				   "constraint on "
				   "the foot keeps it above the ground.",
			.maya = "Key the foot's IK control or the hips higher there, or limit the "
				"control's "
				"translation in Y.",
			.message = "{joint}{text} is {value:%} of the figure's length below the "
				   "ground "
				   "at {time:3} "
				   "s of {clip}",
			.example = "RightToe is 10 % of the figure's length below the ground at "
				   "1.333 s of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.025, 0.08},
		},
	.pass = &pass,
};

const struct check_rule check_rule_contact_float = {
	.info =
		{
			.id = "contact/float",
			.unit = "L",
			.catches = "a figure that never touches the ground",
			.definition = "How far above the ground the lowest skinned vertex is at "
				      "its lowest over "
				      "all samples of the clip, as a share of the figure's length. "
				      "Clips in the "
				      "air are left out, by their names or the profile.",
			.effect = "The figure hovers, most visibly with a shadow under it.",
			.fix = "Lower the root of {clip} by {absolute} until {joint} touches the "
			       "ground.",
			.blender = "Select the root bone's location channel in the Graph Editor "
				   "and move "
				   "all of its keys down (G, Y).",
			.maya = "Select the root's translateY curve in the Graph Editor and move "
				"all of its "
				"keys down.",
			.message =
				"{clip} never touches the ground: its lowest point, at {joint}, is "
				"{value:%} of the figure's length above it",
			.example = "Idle never touches the ground: its lowest point, at RightToe, "
				   "is 10 % of the figure's length above it",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.02, 0.08},
		},
	.pass = &pass,
};
