// motion/jitter and motion/stutter: noise that alternates frame by frame, and frames repeated amid
// motion.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/motion_steps.h"
#include "check/percentile.h"
#include "check/rules.h"

#define SAMPLES_MIN 8

/* Alternation from which on deviations are noise; that of white noise is 2/3. */
#define ALTERNATION 0.35

/* Noise is in every frame: at least this share of the median is at the lower quartile, which is
 * 0.72 of it for white noise. Kicks and recoils have frames at rest between them. */
#define STEADY 0.4

/* Deviations longer than so many medians are pops. */
#define OUTLIER 4

/* Shares of the upper quartile of all joints' steps: a repeated frame is below the first, those
 * around it are above the second. */
#define REPEATED 0.02
#define MOVING 0.25

/* Repeated frames in a row that are no pause. */
#define REPEATED_MAX 3

/* Share of L that the upper quartile must be above. */
#define QUARTILE_MIN 0.01

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	double *steps;   // [count - 1] of all joints
	double *scratch; // [count]
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){
		.asset = asset,
		.clip = clip,
		.steps = arena_alloc(arena, (size_t)clip->count, sizeof *state->steps),
		.scratch = arena_alloc(arena, (size_t)clip->count, sizeof *state->scratch),
	};
	return state;
}

static double deviation_at(
	const struct state *state, const struct check_track *track, double percentile) {
	for (int f = 1; f + 1 < track->count; f++) {
		state->scratch[f - 1] = vec3_length(track->deviation[f]);
	}
	return check_percentile(state->scratch, track->count - 2, percentile);
}

/* The alternation of deviations: 2/3 for noise, below 0 for smooth motion. Those far beyond the
 * median count as less, for a single pop alternates, too. */
static double alternation(const struct check_track *track, double median) {
	double products = 0, squares = 0, before[3] = {0};
	for (int f = 1; f + 1 < track->count; f++) {
		double at[3];
		const double length = vec3_length(track->deviation[f]);
		const double most = OUTLIER * median;
		vec3_scale(track->deviation[f], length > most ? most / length : 1, at);
		squares += vec3_dot(at, at);
		products -= vec3_dot(before, at);
		memcpy(before, at, sizeof before);
	}
	return squares > 0 ? products / squares : 0;
}

static void find_jitter(
	const struct state *state, const struct check_track *track, struct check_sink *sink) {
	const double median = deviation_at(state, track, 0.5);
	const double share = alternation(track, median);
	if (share <= ALTERNATION || deviation_at(state, track, 0.25) < STEADY * median) {
		return;
	}
	struct check_value value =
		check_value_at(track->clip, median / state->asset->length, track->joint, -1);
	value.channel = track->clip->channel_of[track->joint * 4 + CHANNEL_ROTATION];
	value.joins_joints = true;
	check_value_param(&value, "alternation", share);
	check_emit(sink, &check_rule_motion_jitter, &value);
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	struct state *state = context;
	for (int f = 0; f + 1 < track->count; f++) {
		state->steps[f] += track->step_r[f] + track->step_t[f];
	}
	if (track->count >= SAMPLES_MIN) {
		find_jitter(state, track, sink);
	}
}

/* Repeated frames of a clip; the first one in *first. */
static int count_repeated(const struct state *state, double quartile, int *first) {
	const int steps = state->clip->count - 1;
	int count = 0;
	*first = -1;
	for (int f = 1, end; f < steps; f = end + 1) {
		for (end = f; end < steps && state->steps[end] < REPEATED * quartile;) {
			end++;
		}
		const int length = end - f;
		if (length > 0 && length <= REPEATED_MAX && end < steps &&
			state->steps[f - 1] > MOVING * quartile &&
			state->steps[end] > MOVING * quartile) {
			*first = *first < 0 ? f + 1 : *first;
			count += length;
		}
	}
	return count;
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const int steps = state->clip->count - 1;
	if (state->clip->count < SAMPLES_MIN) {
		check_skip(sink, &check_rule_motion_jitter, "fewer than %d samples", SAMPLES_MIN);
		check_skip(sink, &check_rule_motion_stutter, "fewer than %d samples", SAMPLES_MIN);
		return;
	}
	const struct check_value quiet = check_value(0);
	check_emit(sink, &check_rule_motion_jitter, &quiet);
	memcpy(state->scratch, state->steps, (size_t)steps * sizeof *state->scratch);
	const double quartile = check_percentile(state->scratch, steps, 0.75);
	int first = -1;
	const int count = quartile > QUARTILE_MIN * state->asset->length
		? count_repeated(state, quartile, &first)
		: 0;
	const struct check_value value = check_value_at(state->clip, count, -1, first);
	check_emit(sink, &check_rule_motion_stutter, &value);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_jitter = {
	.info =
		{
			.id = "motion/jitter",
			.unit = "L",
			.catches = "noise that alternates frame by frame",
			.definition = "For each joint, the median over all samples of how far its "
				      "farthest vertex "
				      "is away from the middle of its neighbours in time, as a "
				      "share of the "
				      "figure's length. It counts where the deviations alternate: "
				      "minus the sum of "
				      "products of neighbouring ones is more than 0.35 of the sum "
				      "of their squares "
				      "(2/3 for white noise, below 0 for smooth motion), and where "
				      "they are in "
				      "every frame: their lower quartile is at least 0.4 of the "
				      "median (0.72 for white noise). Only rotations are looked "
				      "at.",
			.effect = "The limb trembles.",
			.fix = "Smooth the rotation curves of {joint} in {clip}.",
			.blender = "In the Graph Editor select the bone's curves and apply Key > "
				   "Smooth > Butterworth Smooth.",
			.maya = "In the Graph Editor apply Curves > Butterworth Filter.",
			.message = "{joint}{text} trembles in {clip}: from frame to frame it is "
				   "{value:%} of the "
				   "figure's length off its path",
			.example = "LeftForeArm trembles in Idle: from frame to frame it is 1.6 % "
				   "of the figure's length off its path",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.003, 0.012},
		},
	.pass = &pass,
};

const struct check_rule check_rule_motion_stutter = {
	.info =
		{
			.id = "motion/stutter",
			.unit = "frames",
			.catches = "frames repeated amid motion",
			.definition = "The number of samples, up to three in a row, that repeat "
				      "the sample before "
				      "them: the joints' steps together are below 2 % of their "
				      "upper quartile, "
				      "while those before and after are above a quarter of it.",
			.effect = "The motion hangs for a moment, as if frames had been dropped.",
			.fix = "Delete the repeated keys of {clip}, {value|at|the first at} "
			       "{time:3} s.",
			.blender = "Delete the repeated frame's keys in the Dope Sheet, and "
				   "interpolate "
				   "over the gap.",
			.maya = "Delete the repeated frame's keys in the Dope Sheet, and "
				"interpolate over "
				"the gap.",
			.message = "{clip} repeats {value:#} of its frames amid motion, "
				   "{value|at|the first at} {time:3} s",
			.example = "Walk repeats 6 of its frames amid motion, the first at 0.240 s",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 1, 5},
		},
	.pass = &pass,
};
