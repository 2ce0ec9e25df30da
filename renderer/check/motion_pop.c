// motion/pop: one frame out of line, there and back.
#include <math.h>

#include "check/motion_steps.h"
#include "check/rules.h"

/* Shares of L. */
#define EXCURSION_MIN 0.003
#define STEP_FLOOR 0.002

/* Steps of a pop are so many times as great as those near by. */
#define RATIO_MIN 2.5

/* A signal of a joint: its rotation, or its translation and scale. */
struct signal {
	const double *steps, *excursions, *chords;
	enum channel_path path;
};

static void look_at(const struct check_track *track, const struct signal *signal, int f,
	struct check_sink *sink) {
	const double length = track->asset->length;
	const double excursion = signal->excursions[f];
	int count;
	if (excursion < EXCURSION_MIN * length || signal->chords[f] > 0.5 * excursion) {
		return;
	}
	const double around =
		check_steps_around(signal->steps, track->count - 1, f - 1, f, 1, 3, &count);
	const double least = fmin(signal->steps[f - 1], signal->steps[f]);
	const double ratio = least / fmax(around, STEP_FLOOR * length);
	if (count < 2 || ratio < RATIO_MIN) {
		return;
	}
	struct check_value value = check_value_at(track->clip, excursion / length, track->joint, f);
	value.channel = track->clip->channel_of[track->joint * 4 + (int)signal->path];
	value.joins_joints = true;
	check_value_param(&value, "ratio", ratio);
	struct check_curve_points points;
	value.curve = check_curve_around(track, signal->excursions, track->count, f, &points);
	check_emit(sink, &check_rule_motion_pop, &value);
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	const struct signal signals[] = {
		{track->step_r, track->excursion_r, track->chord_r, CHANNEL_ROTATION},
		{track->step_t, track->excursion_t, track->chord_t, CHANNEL_TRANSLATION},
	};
	(void)context;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		for (int f = 1; f + 1 < track->count; f++) {
			look_at(track, &signals[i], f, sink);
		}
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct check_value none = check_value(0);
	(void)context;
	check_emit(sink, &check_rule_motion_pop, &none);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_pop = {
	.info =
		{
			.id = "motion/pop",
			.unit = "L",
			.catches = "one frame out of line, there and back",
			.definition =
				"For each joint and sample, the distance that the joint's farthest "
				"vertex is "
				"away from the middle of the samples before and after it, as a "
				"share of the "
				"figure's length. A sample counts where that distance is at least "
				"0.003, the "
				"joint comes back (the samples before and after are at most half "
				"as far "
				"apart), and both steps are at least 2.5 times as long as any of "
				"the three "
				"steps on either side. A pop smaller than 2.5 times the motion "
				"around it is "
				"not seen. Rotation is looked at apart from translation and scale.",
			.effect = "A limb or the whole figure flashes to another place for one "
				  "frame.",
			.fix = "Delete or smooth the key of {joint} at {time:3} s of {clip}.",
			.blender = "Select the bone in Pose Mode, open the Graph Editor, go to the "
				   "frame and delete the key (X), or apply Key > Smooth > Smooth "
				   "(Gaussian) around it.",
			.maya = "Select the joint, open the Graph Editor, delete the key at that "
				"frame, or "
				"run Curves > Euler Filter where the rotation flips.",
			.message =
				"{joint}{text} leaves its path by {value:%} of the figure's length "
				"for one "
				"frame at {time:3} s of {clip}, {ratio} times as far as the "
				"frames around "
				"it move",
			.example = "LeftForeArm leaves its path by 17.6 % of the figure's length "
				   "for one frame at 0.600 s of Walk, 40.54 times as far as the "
				   "frames around it move",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.006, 0.03},
		},
	.pass = &pass,
};
