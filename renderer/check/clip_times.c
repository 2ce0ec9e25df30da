// Times of clips: clip/duration, clip/start_offset, clip/rate, clip/still.
#include <math.h>

#include "check/rules.h"

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	double travelled; // by the joint that goes farthest, in L
	int joint;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){.asset = asset, .clip = clip, .joint = -1};
	return state;
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	struct state *state = context;
	double sum = 0;
	(void)sink;
	for (int f = 0; f + 1 < track->count; f++) {
		sum += track->step_r[f] + track->step_t[f];
	}
	sum /= state->asset->length;
	if (sum > state->travelled) {
		state->travelled = sum;
		state->joint = track->joint;
	}
}

/* The sum of changes of the morph weight that changes most. */
static double changes_of_weights(const struct clip *clip) {
	double greatest = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
		const int stride = (cubic ? 3 : 1) * channel->width;
		const float *first = channel->values + (cubic ? channel->width : 0);
		for (int w = 0; channel->path == CHANNEL_WEIGHTS && w < channel->width; w++) {
			double sum = 0;
			for (int key = 1; key < channel->key_count; key++) {
				const float *at = first + (size_t)key * (size_t)stride + w;
				sum += fabs((double)*at - (double)*(at - stride));
			}
			greatest = fmax(greatest, sum);
		}
	}
	return greatest;
}

/* True when STEP channels change: they take part in no motion rule, but they do move. */
static bool has_moving_steps(const struct clip *clip) {
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const int numbers = channel->key_count * channel->width;
		for (int k = channel->width;
			channel->interpolation == INTERPOLATION_STEP && k < numbers; k++) {
			if (channel->values[k] != channel->values[k - channel->width]) {
				return true;
			}
		}
	}
	return false;
}

static bool drives_others(const struct check_asset *asset, const struct check_clip *clip) {
	return clip->index < asset->facts->clip_count &&
		asset->facts->clips[clip->index].other_count > 0;
}

static void emit_still(const struct state *state, struct check_sink *sink) {
	if (state->clip->still) {
		check_skip(sink, &check_rule_clip_still, "a still pose");
		return;
	}
	if (drives_others(state->asset, state->clip) || has_moving_steps(state->clip->clip)) {
		check_skip(sink, &check_rule_clip_still,
			"it drives steps or things besides joints and morph weights");
		return;
	}
	struct check_value value =
		check_value(fmax(state->travelled, changes_of_weights(state->clip->clip)));
	value.joint = -1;
	check_emit(sink, &check_rule_clip_still, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const struct check_clip *clip = state->clip;
	struct check_value duration = check_value(clip->end_s - clip->start_s);
	duration.judged = duration.value > 0 || clip->meant_still ? duration.value : INFINITY;
	check_emit(sink, &check_rule_clip_duration, &duration);
	struct check_value start = check_value(clip->start_s);
	start.time_s = clip->start_s;
	check_emit(sink, &check_rule_clip_start_offset, &start);
	struct check_value rate = check_value(clip->rate);
	rate.text = clip->irregular ? "irregular keys" : "even keys";
	check_value_param(&rate, "irregular", clip->irregular);
	check_emit(sink, &check_rule_clip_rate, &rate);
	emit_still(state, sink);
}

static const struct check_pass pass = {.begin = begin, .track = track, .end = end};

const struct check_rule check_rule_clip_duration = {
	.info =
		{
			.id = "clip/duration",
			.unit = "s",
			.catches = "clips of no length, or too long",
			.definition = "The time from a clip's first key to its last. A clip of "
				      "length 0 whose name "
				      "does not say that it is a pose is reported, too.",
			.effect = "A clip of no length plays nothing; one of minutes is often a "
				  "whole "
				  "recording by mistake.",
			.fix = "Check the time range of {clip}.",
			.blender = "Set the action's range in the Action Editor's sidebar (Action "
				   "> Manual Frame Range).",
			.maya = "Set the time range in the Range Slider, or in the export's Bake "
				"Animation options.",
			.message = "{clip} lasts {value} s",
			.example = "bend lasts 160 s",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, 120, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_start_offset = {
	.info =
		{
			.id = "clip/start_offset",
			.unit = "s",
			.catches = "clips that do not begin at 0",
			.definition = "The time of a clip's first key.",
			.effect = "The figure stands still at the beginning of each round, in "
				  "players that "
				  "begin at 0.",
			.fix = "Move the keys of {clip} so that the first is at 0.",
			.blender = "Begin the action at frame 0, or set Export > Animation > Set "
				   "All glTF "
				   "Animation Starting at 0.",
			.maya = "Begin the time range at frame 0.",
			.message = "{clip} begins at {value:3} s and not at 0",
			.example = "Walk begins at 0.500 s and not at 0",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {0.02, 0.1, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_rate = {
	.info =
		{
			.id = "clip/rate",
			.unit = "1/s",
			.catches = "the rate of a clip's keys, and keys at no common rate",
			.definition =
				"The native rate of a clip: that of its keys where 95 % of their "
				"distances "
				"are equal or are multiples of a usual frame's; 30 where they are "
				"not, which "
				"makes the clip irregular. Checks look at the clip at this rate.",
			.effect = "None by itself.",
			.fix = "Bake {clip} at one rate.",
			.blender = "Bake the action (Pose > Animation > Bake Action) with a Frame "
				   "Step of 1.",
			.maya = "Run Key > Bake Simulation with Sample By 1.",
			.message = "{clip} has {value} {value|sample|samples} a second: {text}",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = CHECK_LIMITS_OFF,
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_still = {
	.info =
		{
			.id = "clip/still",
			.unit = "L",
			.catches = "clips in which nothing moves",
			.definition = "The sum of the steps of the joint that moves most, as a "
				      "share of the "
				      "figure's length, or the sum of changes of a morph weight. "
				      "Clips whose names "
				      "say that they are poses, with steps, or that drive "
				      "materials and the like, "
				      "are left out.",
			.effect = "The clip plays, and nothing happens.",
			.fix = "Export {clip} with its keys, or leave it out.",
			.blender = "Check that the action is assigned in the Action Editor, that "
				   "its NLA track is not muted, and that the export has Animation "
				   "> Sampling Animations on.",
			.maya = "Check that the animation layer is not muted (Layer Editor > "
				"Anim), and run Key > Bake Simulation.",
			.message = "Nothing moves in {clip}",
			.example = "Nothing moves in Walk",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.below = true,
			.limits = {INFINITY, 1e-4, INFINITY},
		},
	.pass = &pass,
};
