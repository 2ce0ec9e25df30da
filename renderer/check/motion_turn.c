// motion/turn: the rotation between two samples.
#include <math.h>

#include "check/motion_steps.h"
#include "check/rules.h"

/* Share of an angle by which roundings differ. */
#define SAME 1e-6

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	double greatest = 0;
	int at = -1;
	(void)context;
	if (track->clip->stepped[track->joint] & 1 << CHANNEL_ROTATION) {
		return;
	}
	for (int f = 0; f + 1 < track->count; f++) {
		const double angle = check_angle(track->local[f].q, track->local[f + 1].q);
		// There and back is one fault: the way back may be longer by a rounding.
		if (angle > greatest * (1 + SAME)) {
			greatest = angle;
			at = f + 1;
		}
	}
	struct check_value value =
		check_value_at(track->clip, greatest * CHECK_DEGREES, track->joint, at);
	value.channel = track->clip->channel_of[track->joint * 4 + CHANNEL_ROTATION];
	value.joins_joints = true;
	check_emit(sink, &check_rule_motion_turn, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct check_value none = check_value(0);
	(void)context;
	check_emit(sink, &check_rule_motion_turn, &none);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_turn = {
	.info =
		{
			.id = "motion/turn",
			.unit = "degrees",
			.catches = "a joint that turns too far from one frame to the next",
			.definition = "For each joint, the largest angle between its rotations at "
				      "two neighbouring "
				      "samples, in its parent's frame. From 100 degrees on nobody "
				      "can tell a turn "
				      "from its long way round: players take the short one.",
			.effect = "A joint spins the wrong way round, or flips for a frame.",
			.fix = "Add keys between the two frames before {time:3} s of {clip}, or "
			       "remove "
			       "the flip of {joint}.",
			.blender = "In the Graph Editor apply Key > Discontinuity (Euler) Filter, "
				   "then "
				   "bake the action.",
			.maya = "In the Graph Editor apply Curves > Euler Filter, then bake.",
			.message = "{joint}{text} turns by {value:0} {value:0|degree|degrees} in "
				   "one frame, up to {time:3} s of {clip}",
			.example = "LeftForeArm turns by 170 degrees in one frame, up to 2.000 s "
				   "of Idle",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 100, 150},
		},
	.pass = &pass,
};
