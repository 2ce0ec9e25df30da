// Loops: motion/loop_seam, clip/frame_short, motion/loop_velocity.
#include <math.h>

#include "base/vec.h"
#include "check/motion_steps.h"
#include "check/rules.h"

/* Shares of L. */
#define RANGE_MIN 0.005
#define SHORT_MIN 0.002
#define CLOSED 0.005 // a seam below this one is closed, and its speed is looked at
#define SPEED_MIN 0.004

#define SAMPLES_MIN 6

/* A missing frame: the seam goes on where the motion goes, by about a step. */
#define ALONG 0.6
#define STEP_LOW 0.3
#define STEP_HIGH 1.6

/* A joint's own turns that its speed at the seam may differ by. */
#define OWN_TURNS 1.5

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	double seam;
	int seam_joint;
	bool applies;
	double along, way, motion;       // sums of products and squares
	double last_step, first_step;    // the greatest of all joints
	double break_, break_difference; // the greatest break of speed
	int break_joint;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	struct arena *scratch = arena_create();
	const struct pose first = check_clip_pose(asset, clip, clip->start_s, scratch);
	const struct pose last = check_clip_pose(asset, clip, clip->end_s, scratch);
	*state = (struct state){.asset = asset, .clip = clip, .break_joint = -1};
	state->seam = check_pose_distance(asset, &last, &first, &state->seam_joint);
	state->applies = clip->range > RANGE_MIN * asset->length && clip->count >= SAMPLES_MIN;
	arena_destroy(scratch);
	return state;
}

/* The last step may be shorter than the others: as long as a whole one would be. */
static double stretch_last(const struct check_clip *clip) {
	const int last = clip->count - 1;
	const double step = check_clip_time(clip, last) - check_clip_time(clip, last - 1);
	return step > 0 ? 1 / (clip->rate * step) : 1;
}

static void compare_speeds(struct state *state, const struct check_track *track,
	const double in[static 3], const double out[static 3]) {
	double difference[3], own = 0;
	vec3_sub(in, out, difference);
	const double half = 0.5 * vec3_length(difference) * track->reach;
	for (int f = 1; f + 1 < track->count; f++) {
		own = fmax(own, track->excursion_r[f]);
	}
	const double beyond = half - OWN_TURNS * own;
	if (half >= SPEED_MIN * state->asset->length && beyond > state->break_) {
		state->break_ = beyond;
		state->break_difference = half;
		state->break_joint = track->joint;
	}
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	struct state *state = context;
	const struct check_transform *local = track->local;
	const int last = track->count - 1;
	const bool stepped = track->clip->stepped[track->joint] & 1 << CHANNEL_ROTATION;
	double way[3], in[3], out[3];
	(void)sink;
	if (!state->applies) {
		return;
	}
	state->last_step =
		fmax(state->last_step, track->step_r[last - 1] + track->step_t[last - 1]);
	state->first_step = fmax(state->first_step, track->step_r[0] + track->step_t[0]);
	if (stepped) {
		return;
	}
	check_log(local[last].q, local[0].q, way);
	check_log(local[last - 1].q, local[last].q, in);
	check_log(local[0].q, local[1].q, out);
	vec3_scale(in, stretch_last(track->clip), in);
	const double square = track->reach * track->reach;
	for (int i = 0; i < 3; i++) {
		const double mean = 0.5 * (in[i] + out[i]);
		state->along += way[i] * mean * square;
		state->way += way[i] * way[i] * square;
		state->motion += mean * mean * square;
	}
	compare_speeds(state, track, in, out);
}

static bool lacks_frame(const struct state *state) {
	const double cosine = state->along / sqrt(state->way * state->motion);
	const double steps = state->seam / fmax(state->last_step, state->first_step);
	return state->seam > SHORT_MIN * state->asset->length && cosine >= ALONG &&
		steps >= STEP_LOW && steps <= STEP_HIGH;
}

static void emit(const struct state *state, struct check_sink *sink, const struct check_rule *rule,
	double value, int joint) {
	struct check_value at = check_value_at(state->clip, value / state->asset->length, joint,
		joint < 0 ? -1 : state->clip->count - 1);
	at.at_most = state->clip->loop ? CHECK_ERROR : CHECK_NOTE;
	check_value_param(&at, "range", state->clip->range / state->asset->length);
	check_emit(sink, rule, &at);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const struct check_rule *rules[] = {&check_rule_motion_loop_seam,
		&check_rule_clip_frame_short, &check_rule_motion_loop_velocity};
	for (size_t i = 0; i < 3 && !state->applies; i++) {
		check_skip(
			sink, rules[i], "too little motion, or fewer than %d samples", SAMPLES_MIN);
	}
	if (!state->applies) {
		return;
	}
	if (lacks_frame(state)) {
		emit(state, sink, &check_rule_clip_frame_short, state->seam, state->seam_joint);
		check_skip(sink, &check_rule_motion_loop_seam, "the loop lacks its last frame");
	} else {
		emit(state, sink, &check_rule_clip_frame_short, 0, -1);
		emit(state, sink, &check_rule_motion_loop_seam, state->seam, state->seam_joint);
	}
	if (state->seam < CLOSED * state->asset->length) {
		emit(state, sink, &check_rule_motion_loop_velocity, state->break_,
			state->break_joint);
	} else {
		check_skip(sink, &check_rule_motion_loop_velocity, "the loop does not close");
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION | CHECK_NEEDS_LOOP,
	.begin = begin,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_loop_seam = {
	.info =
		{
			.id = "motion/loop_seam",
			.unit = "L",
			.catches = "a loop whose last pose is not its first",
			.definition = "The distance of a loop's last pose from its first one: the "
				      "greatest over "
				      "all joints of how far the joint's farthest vertex has to "
				      "move, as a share of "
				      "the figure's length. Joints from the root to the hip count "
				      "with their height "
				      "alone. Loops are clips that the profile lists, or whose "
				      "names say so; clips "
				      "that only return to where they began give notes at most.",
			.effect = "The figure jerks each time the clip repeats.",
			.fix = "Make the last pose of {clip} equal to the first: copy the first "
			       "key of "
			       "{joint} to the end.",
			.blender = "In the Dope Sheet copy the first frame's keys to the last "
				   "frame, or "
				   "add a Cycles modifier and bake.",
			.maya = "In the Graph Editor copy the first keys to the last frame and "
				"match the "
				"tangents.",
			.message = "{clip} does not close: at its end {joint} is {value:%} of the "
				   "figure's "
				   "length away from where it begins",
			.example = "Walk does not close: at its end LeftArm is 28.2 % of the "
				   "figure's length away from where it begins",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {0.005, 0.02, 0.08},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_frame_short = {
	.info =
		{
			.id = "clip/frame_short",
			.unit = "L",
			.catches = "a loop exported without its last frame",
			.definition = "The seam of a loop (motion/loop_seam) that goes on in the "
				      "direction of the "
				      "motion (the cosine between the way to the first pose and "
				      "the mean of the "
				      "last and first steps is at least 0.6) and is 0.3 to 1.6 "
				      "steps long. Then "
				      "the key that would close the loop is missing, and the seam "
				      "is no fault of "
				      "the animation.",
			.effect = "The loop hurries at its end, once in each round: it is one "
				  "frame too "
				  "short.",
			.fix = "Export {clip} with one frame more, whose pose is the first one.",
			.blender = "Set the action's end frame one frame later, so that it "
				   "includes the "
				   "repeated first pose, and export again.",
			.maya = "Extend the time range of the export by one frame.",
			.message = "{clip} lacks its last frame: from its end to its beginning "
				   "{joint} "
				   "goes on by {value:%} of the figure's length, about one step",
			.example = "Walk lacks its last frame: from its end to its beginning "
				   "RightUpLeg goes on by 1.53 % of the figure's length, about one "
				   "step",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.002, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_motion_loop_velocity = {
	.info =
		{
			.id = "motion/loop_velocity",
			.unit = "L",
			.catches = "a loop whose speed breaks at the seam",
			.definition = "Of a loop that closes (seam below 0.005): for each joint, "
				      "half the "
				      "difference of its last and first steps, less 1.5 times the "
				      "sharpest turn "
				      "that it takes anywhere else in the clip, as a share of the "
				      "figure's length. "
				      "Differences below 0.004 do not count.",
			.effect = "The motion hitches each time the clip repeats.",
			.fix = "Give {joint} the same speed at both ends of {clip}.",
			.blender = "Add a Cycles modifier to the curves and set the handles at "
				   "both ends "
				   "to Automatic.",
			.maya = "Set the curve's infinity to Cycle, and make the tangents at both "
				"ends "
				"equal.",
			.message =
				"{clip} hitches where it repeats: the step of {joint} changes by "
				"{value:%} of the figure's length more than anywhere else",
			.example = "Idle hitches where it repeats: the step of LeftArm changes by "
				   "1.46 % of the figure's length more than anywhere else",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.01, 0.04},
		},
	.pass = &pass,
};
