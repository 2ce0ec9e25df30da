// Measurements in the world: motion/root_drift, motion/root_travel, motion/speed.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/motion_steps.h"
#include "check/rules.h"

/* Share of L from which on a root's way is meant. */
#define TRAVEL_MIN 0.15

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	double (*before)[3];  // [joint_count] origins at the sample before
	double time_before;   // of that
	double first[3], net; // the hip's place at the first sample; its distance at the last
	double travel;        // its greatest distance
	int travel_at;        // sample
	double speed;         // the greatest, L/s
	int speed_joint, speed_at;
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){
		.asset = asset,
		.clip = clip,
		.before =
			arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *state->before),
		.speed_joint = -1,
		.speed_at = -1,
	};
	return state;
}

static void follow_hip(struct state *state, const struct check_pose *pose) {
	double at[3];
	check_origin(pose->world, state->asset->hip, at);
	if (pose->sample == 0) {
		memcpy(state->first, at, sizeof at);
	}
	const double x = at[0] - state->first[0], z = at[2] - state->first[2];
	state->net = sqrt(x * x + z * z);
	if (state->net > state->travel) {
		state->travel = state->net;
		state->travel_at = pose->sample;
	}
}

static void follow_joint(struct state *state, const struct check_pose *pose, int joint) {
	double at[3], way[3];
	check_origin(pose->world, joint, at);
	vec3_sub(at, state->before[joint], way);
	memcpy(state->before[joint], at, sizeof at);
	const double seconds = pose->time_s - state->time_before;
	if (pose->sample == 0 || !(seconds > 0) ||
		(state->clip->stepped[joint] & DRIVEN_TRANSFORM)) {
		return;
	}
	const double speed = vec3_length(way) / seconds / state->asset->length;
	if (speed > state->speed) {
		state->speed = speed;
		state->speed_joint = joint;
		state->speed_at = pose->sample;
	}
}

static void look(void *context, const struct check_pose *pose, struct check_sink *sink) {
	struct state *state = context;
	(void)sink;
	follow_hip(state, pose);
	for (int i = 0; i < state->asset->rig->joint_count; i++) {
		if (state->asset->active[i]) {
			follow_joint(state, pose, i);
		}
	}
	state->time_before = pose->time_s;
}

/* Wandering of a loop that is meant to stay in place. */
static void emit_drift(const struct state *state, struct check_sink *sink) {
	const double drift = state->net / state->asset->length;
	const double duration = state->clip->end_s - state->clip->start_s;
	if (!state->clip->loop && !state->clip->likely_loop) {
		check_skip(sink, &check_rule_motion_root_drift, "not a loop");
		return;
	}
	if (drift >= TRAVEL_MIN) {
		check_skip(sink, &check_rule_motion_root_drift,
			"the loop travels: its root goes on by %.3g of the figure's length", drift);
		return;
	}
	struct check_value value =
		check_value_at(state->clip, drift, state->asset->hip, state->clip->count - 1);
	value.at_most = state->clip->loop ? CHECK_ERROR : CHECK_NOTE;
	check_value_param(&value, "per_second", duration > 0 ? drift / duration : 0);
	check_emit(sink, &check_rule_motion_root_drift, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	emit_drift(state, sink);
	struct check_value travel = check_value_at(state->clip,
		state->travel / state->asset->length, state->asset->hip, state->travel_at);
	check_value_param(&travel, "net", state->net / state->asset->length);
	check_emit(sink, &check_rule_motion_root_travel, &travel);
	const struct check_value speed =
		check_value_at(state->clip, state->speed, state->speed_joint, state->speed_at);
	check_emit(sink, &check_rule_motion_speed, &speed);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.pose = look,
	.end = end,
};

const struct check_rule check_rule_motion_root_drift = {
	.info =
		{
			.id = "motion/root_drift",
			.unit = "L",
			.catches = "a loop in place that wanders",
			.definition = "The horizontal distance of the hip at the end of a loop "
				      "from where it began, "
				      "as a share of the figure's length. From 0.15 on the loop is "
				      "taken to travel "
				      "on purpose.",
			.effect = "The figure slides away a little with each round, or jumps back.",
			.fix = "Bring {joint} back to its first place at the end of {clip}.",
			.blender = "In the Graph Editor copy the root's first location key "
				   "(Ctrl+C) and paste it at the last frame (Ctrl+V).",
			.maya = "In the Graph Editor copy the root's first translate keys to the "
				"last frame (Edit > Copy, Edit > Paste).",
			.message = "{clip} wanders: each round takes {joint} {value:%} of the "
				   "figure's "
				   "length away",
			.example = "Idle wanders: each round takes Hips 10 % of the figure's "
				   "length away",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.005, 0.03},
		},
	.pass = &pass,
};

const struct check_rule check_rule_motion_root_travel = {
	.info =
		{
			.id = "motion/root_travel",
			.unit = "L",
			.catches = "roots that travel",
			.definition = "The greatest horizontal distance of the hip from where the "
				      "clip begins, as a "
				      "share of the figure's length.",
			.effect = "The figure leaves its place: wanted with root motion, wrong for "
				  "an "
				  "engine that moves it by itself.",
			.fix = "Export {clip} in place, or turn on root motion for it.",
			.blender = "In the Graph Editor delete the root bone's horizontal location "
				   "curves (X).",
			.maya = "In the Graph Editor delete the root's translateX and translateZ "
				"curves.",
			.message = "{clip} takes {joint} {value:%} of the figure's length away "
				   "from where "
				   "it begins, farthest at {time:3} s",
			.example = "Walk takes Hips 80 % of the figure's length away from where it "
				   "begins, farthest at 1.080 s",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {0.5, INFINITY, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_motion_speed = {
	.info =
		{
			.id = "motion/speed",
			.unit = "L/s",
			.catches = "joints that move too fast",
			.definition = "The greatest speed of a joint's origin in the world between "
				      "two samples, in "
				      "lengths of the figure per second. Joints with STEP channels "
				      "are left out.",
			.effect = "A limb flies across the picture faster than anybody can follow; "
				  "usually a broken key.",
			.fix = "Look at the keys of {joint} before {time:3} s of {clip}.",
			.blender = "Look at the bone's curves at that frame in the Graph Editor, "
				   "and delete the key that stands out (X).",
			.maya = "Look at the joint's curves at that frame in the Graph Editor, and "
				"delete the key that stands out.",
			.message = "{joint} moves at {value} {value|length|lengths} of the figure "
				   "per second up to {time:3} s of {clip}",
			.example = "LeftToe moves at 20.01 lengths of the figure per second up to "
				   "0.540 s of Walk",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 15, 40},
		},
	.pass = &pass,
};
