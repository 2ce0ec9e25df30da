// motion/jump: one step far above its neighbours; clip/rest_frame where it leads to or from the
// rest pose at an end of the clip.
#include <math.h>

#include "base/quat.h"
#include "check/motion_steps.h"
#include "check/rules.h"

/* Shares of L. */
#define STEP_MIN 0.02
#define STEP_FLOOR 0.004

/* A jump is so many times as great as the steps near by. */
#define RATIO_MIN 5

/* Degrees: an end at rest is nearer than this, and the sample beside it farther in some joint. */
#define AT_REST 1
#define AWAY 10

struct state {
	bool rest_at_start, rest_at_end;
	double worst_rest; // step of the clip's rest frame; 0 = it has none
	struct check_value rest_frame;
};

static double degrees(double radians) {
	return radians * CHECK_DEGREES;
}

/* The greatest angle of an animated joint from its rest pose at a sample. */
static double angle_from_rest(
	const struct check_asset *asset, const struct check_clip *clip, int sample) {
	double greatest = 0;
	for (int joint = 0; joint < asset->rig->joint_count; joint++) {
		if (asset->active[joint] && (clip->driven[joint] & DRIVEN_TRANSFORM)) {
			struct check_transform at;
			double rest[4];
			for (int i = 0; i < 4; i++) {
				rest[i] = (double)asset->rig->joints[joint].rest.rotation[i];
			}
			quat_normalize(rest);
			check_clip_sample(asset, clip, joint, check_clip_time(clip, sample), &at);
			greatest = fmax(greatest, degrees(check_angle(rest, at.q)));
		}
	}
	return greatest;
}

static bool is_rest_end(
	const struct check_asset *asset, const struct check_clip *clip, int end, int beside) {
	return clip->count > 2 && angle_from_rest(asset, clip, end) < AT_REST &&
		angle_from_rest(asset, clip, beside) > AWAY;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->rest_at_start = is_rest_end(asset, clip, 0, 1);
	state->rest_at_end = is_rest_end(asset, clip, clip->count - 1, clip->count - 2);
	return state;
}

static bool is_rest_step(const struct state *state, const struct check_track *track, int f) {
	return (f == 0 && state->rest_at_start) || (f == track->count - 2 && state->rest_at_end);
}

static void look_at(struct state *state, const struct check_track *track, const double *steps,
	enum channel_path path, int f, struct check_sink *sink) {
	const double length = track->asset->length;
	int count;
	if (steps[f] < STEP_MIN * length) {
		return;
	}
	const double around = check_steps_around(steps, track->count - 1, f, f, 1, 3, &count);
	const double ratio = steps[f] / fmax(around, STEP_FLOOR * length);
	if (count < 2 || ratio < RATIO_MIN) {
		return;
	}
	const bool rest = is_rest_step(state, track, f);
	struct check_value value = check_value_at(
		track->clip, steps[f] / length, track->joint, rest && f == 0 ? 0 : f + 1);
	value.channel = track->clip->channel_of[track->joint * 4 + (int)path];
	value.joins_joints = true;
	check_value_param(&value, "ratio", ratio);
	if (rest) {
		// Once for the clip: all its joints leave the rest pose together.
		if (value.value > state->worst_rest) {
			state->worst_rest = value.value;
			state->rest_frame = value;
		}
		return;
	}
	struct check_curve_points points;
	value.curve = check_curve_around(track, steps, track->count - 1, f, &points);
	check_emit(sink, &check_rule_motion_jump, &value);
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	for (int f = 0; f + 1 < track->count; f++) {
		look_at(context, track, track->step_r, CHANNEL_ROTATION, f, sink);
		look_at(context, track, track->step_t, CHANNEL_TRANSLATION, f, sink);
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const struct check_value none = check_value(0);
	check_emit(sink, &check_rule_motion_jump, &none);
	check_emit(sink, &check_rule_clip_rest_frame,
		state->worst_rest > 0 ? &state->rest_frame : &none);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_jump = {
	.info =
		{
			.id = "motion/jump",
			.unit = "L",
			.catches = "one step far above its neighbours",
			.definition = "For each joint and pair of neighbouring samples, how far "
				      "the joint's "
				      "farthest vertex moves, as a share of the figure's length. A "
				      "step counts "
				      "where it is at least 0.02 and at least five times as long "
				      "as any of the "
				      "three steps on either side. The time is that of the sample "
				      "after the step. "
				      "Channels with STEP interpolation are meant to jump and are "
				      "left out.",
			.effect = "A limb snaps to another pose from one frame to the next.",
			.fix = "Check {joint} around {time:3} s of {clip}: an IK target that "
			       "flips, a "
			       "constraint that is switched, or a missing key.",
			.blender =
				"Bake the action (Object > Animation > Bake Action) with a step of "
				"1, "
				"then move or delete the keys around the jump in the Graph Editor.",
			.maya = "Bake the simulation (Edit > Keys > Bake Simulation), then smooth "
				"the "
				"curves around the jump in the Graph Editor.",
			.message = "{joint}{text} jumps by {value:%} of the figure's length in one "
				   "frame at "
				   "{time:3} s of {clip}, {ratio} times as far as in the frames "
				   "around it",
			.example = "LeftArm jumps by 34.8 % of the figure's length in one frame at "
				   "2.000 s of Idle, 87.09 times as far as in the frames around it",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.03, 0.12},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_rest_frame = {
	.info =
		{
			.id = "clip/rest_frame",
			.unit = "L",
			.catches = "a first or last frame that is the rest pose",
			.definition = "The longest jump (motion/jump) of the first or last step of "
				      "a clip whose "
				      "pose at that end is the rest pose, within 1 degree in every "
				      "joint that the "
				      "clip drives, while the sample beside it is more than 10 "
				      "degrees away from "
				      "it in some joint.",
			.effect = "The figure flashes into its rest pose where the clip begins, "
				  "ends or "
				  "repeats.",
			.fix = "Leave the frame at {time:3} s out of {clip}.",
			.blender = "Set the action's frame range to begin after the rest pose, or "
				   "delete "
				   "that frame's keys in the Dope Sheet.",
			.maya = "Set the playback range to begin after the rest pose, and export "
				"that "
				"range.",
			.message = "{clip} has the rest pose at {time:3} s: {joint} jumps by "
				   "{value:%} of "
				   "the figure's length from there to the frame beside it",
			.example = "Walk has the rest pose at 0.000 s: LeftUpLeg jumps by 28.7 % "
				   "of the figure's length from there to the frame beside it",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.02, INFINITY},
		},
	.pass = &pass,
};
