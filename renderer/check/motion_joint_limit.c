// motion/joint_limit: joints turned beyond the limits that the profile gives.
#include <math.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check/rules.h"

struct state {
	const struct check_asset *asset;
	bool applies; // some joint that the clip drives has limits
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	(void)clip;
	state->asset = asset;
	return state;
}

static const struct check_joint_limit *find_limit(const struct check_asset *asset, int joint) {
	const struct check_settings *settings = &asset->profile->settings;
	for (size_t i = 0; i < settings->joint_limit_count; i++) {
		if (check_glob(settings->joint_limits[i].joint, asset->rig->joints[joint].name)) {
			return &settings->joint_limits[i];
		}
	}
	return NULL;
}

static double beyond(const double range[static 2], double angle) {
	return fmax(fmax(range[0] - angle, angle - range[1]), 0);
}

/* Angles of a rotation from the rest pose: across the bone, and about it with its sign. */
static void measure(const double inverse[static 4], const double q[static 4],
	const double axis[static 3], double *swing_deg, double *twist_deg) {
	double turn[4], swing[4], twist[4];
	quat_multiply(inverse, q, turn);
	quat_swing_twist(turn, axis, swing, twist);
	*swing_deg = 2 * angle_atan2(vec3_length(swing), fabs(swing[3])) * CHECK_DEGREES;
	*twist_deg = 2 * angle_atan2(vec3_length(twist), fabs(twist[3])) * CHECK_DEGREES;
	if (vec3_dot(twist, axis) * twist[3] < 0) {
		*twist_deg = -*twist_deg;
	}
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	struct state *state = context;
	const struct check_joint_limit *limit = find_limit(state->asset, track->joint);
	const float *rest = state->asset->rig->joints[track->joint].rest.rotation;
	double inverse[4] = {-(double)rest[0], -(double)rest[1], -(double)rest[2], (double)rest[3]};
	double axis[3], worst = 0, worst_swing = 0, worst_twist = 0;
	int at = -1;
	if (!limit || !check_bone_axis(state->asset, track->joint, axis)) {
		return;
	}
	quat_normalize(inverse);
	state->applies = true;
	for (int f = 0; f < track->count; f++) {
		double swing_deg, twist_deg;
		measure(inverse, track->local[f].q, axis, &swing_deg, &twist_deg);
		const double value = fmax(
			beyond(limit->swing_deg, swing_deg), beyond(limit->twist_deg, twist_deg));
		if (value > worst || at < 0) {
			worst = value;
			worst_swing = swing_deg;
			worst_twist = twist_deg;
			at = f;
		}
	}
	struct check_value value = check_value_at(track->clip, worst, track->joint, at);
	value.channel = track->clip->channel_of[track->joint * 4 + CHANNEL_ROTATION];
	check_value_param(&value, "swing", worst_swing);
	check_value_param(&value, "twist", worst_twist);
	check_emit(sink, &check_rule_motion_joint_limit, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	if (!state->applies) {
		check_skip(sink, &check_rule_motion_joint_limit,
			"the profile limits no joint that the clip drives");
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_joint_limit = {
	.info =
		{
			.id = "motion/joint_limit",
			.unit = "degrees",
			.catches = "joints turned beyond the limits that the profile gives",
			.definition =
				"For each joint that the rules file has in joint_limits, the "
				"degrees that its rotation from the rest pose is beyond them: "
				"across its bone (swing) or about it (twist). The bone points to "
				"the middle of the joint's children, or of its own vertices.",
			.effect = "A limb bends or twists as no body can.",
			.fix = "Bring {joint} back within its limits around {time:3} s of {clip}.",
			.blender = "Add a Limit Rotation constraint to the bone, and bake the "
				   "action.",
			.maya = "Set Rotate Limits in the joint's Limit Information.",
			.message = "{joint} is {value:0} {value:0|degree|degrees} beyond its "
				   "limits at {time:3} s of {clip}: swing {swing:0}, twist "
				   "{twist:0} {twist:0|degree|degrees}",
			.example = "LeftForeArm is 32 degrees beyond its limits at 2.000 s of "
				   "Idle: swing 81, twist -92 degrees",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 2, 15},
		},
	.pass = &pass,
};
