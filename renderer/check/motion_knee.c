// motion/knee: a knee that is bent the wrong way.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/vec.h"
#include "check/motion_steps.h"
#include "check/rules.h"

/* Degrees that the leg bends forward by at rest: it is no human one. */
#define REST_MAX 5

enum part { THIGH, SHIN, FOOT, TOE, PART_COUNT };

struct leg {
	int joints[PART_COUNT];
	double forward[3]; // at rest, in the thigh's axes
	double worst;      // degrees
	int worst_at;
	bool applies;
};

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	struct leg legs[2]; // left, right
};

static bool is_part(const char *name, enum part part) {
	static const char *const words[PART_COUNT][5] = {
		{"thigh", "upperleg", "upleg", NULL},
		{"calf", "lowerleg", "shin", "leg", NULL},
		{"foot", "ankle", NULL},
		{"toe", "ball", NULL},
	};
	for (int i = 0; words[part][i]; i++) {
		if (strcasestr(name, words[part][i])) {
			// "leg" alone is the shin's; "UpLeg" and "UpperLeg" have it, too.
			return part != SHIN || !is_part(name, THIGH);
		}
	}
	return false;
}

/* The joint of a part on a side, below another (-1 = anywhere); -1 where there is none. */
static int find_joint(const struct check_asset *asset, enum part part, int side, int above) {
	for (int i = 0; i < asset->rig->joint_count; i++) {
		const char *name = asset->rig->joints[i].name;
		if (asset->in_skin[i] && check_side_of(name, NULL) == side && is_part(name, part) &&
			i != above && (above < 0 || rig_is_below(asset->rig, i, above))) {
			return i;
		}
	}
	return -1;
}

/* The linear part of a joint's matrix with axes of length 1. */
static void axes_of(const double (*world)[12], int joint, double out[static 12]) {
	memset(out, 0, 12 * sizeof *out);
	for (int column = 0; column < 3; column++) {
		double axis[3];
		for (int row = 0; row < 3; row++) {
			axis[row] = world[joint][row * 4 + column];
		}
		vec3_normalize(axis);
		for (int row = 0; row < 3; row++) {
			out[row * 4 + column] = axis[row];
		}
	}
}

static bool way_between(const double (*world)[12], int from, int to, double out[static 3]) {
	double start[3], end[3];
	check_origin(world, from, start);
	check_origin(world, to, end);
	vec3_sub(end, start, out);
	return vec3_normalize(out);
}

/* Degrees that the shin is bent forward by; NAN where the leg has no direction. */
static double bend_of(const struct leg *leg, const double (*world)[12]) {
	double thigh[3], shin[3], axes[12], forward[3];
	axes_of(world, leg->joints[THIGH], axes);
	mat_map_direction(axes, leg->forward, forward);
	if (!way_between(world, leg->joints[THIGH], leg->joints[SHIN], thigh) ||
		!way_between(world, leg->joints[SHIN], leg->joints[FOOT], shin)) {
		return NAN;
	}
	const double along = vec3_dot(forward, thigh);
	for (int i = 0; i < 3; i++) {
		forward[i] -= along * thigh[i];
	}
	if (!vec3_normalize(forward)) {
		return NAN;
	}
	const double sine = fmax(fmin(vec3_dot(shin, forward), 1), -1);
	const double size = fabs(sine), cosine = sqrt(fmax(1 - size * size, 0));
	return copysign(angle_atan2(size, cosine) * CHECK_DEGREES, sine);
}

/* Finds a leg; false where its joints are not named, or it is bent forward at rest. */
static bool find_leg(const struct check_asset *asset, int side, struct leg *leg) {
	int above = -1;
	for (int part = THIGH; part < PART_COUNT; part++) {
		above = find_joint(asset, (enum part)part, side, above);
		leg->joints[part] = above;
		if (above < 0) {
			return false;
		}
	}
	double forward[3], axes[12];
	if (!way_between(asset->rest_world, leg->joints[FOOT], leg->joints[TOE], forward)) {
		return false;
	}
	forward[1] = 0;
	axes_of(asset->rest_world, leg->joints[THIGH], axes);
	for (int column = 0; column < 3; column++) {
		leg->forward[column] = axes[column] * forward[0] + axes[4 + column] * forward[1] +
			axes[8 + column] * forward[2];
	}
	leg->worst = -INFINITY;
	leg->worst_at = -1;
	leg->applies = bend_of(leg, asset->rest_world) <= REST_MAX;
	return vec3_normalize(leg->forward) && leg->applies;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	*state = (struct state){.asset = asset, .clip = clip};
	for (int i = 0; i < 2; i++) {
		state->legs[i].applies = find_leg(asset, i == 0 ? 1 : -1, &state->legs[i]);
	}
	return state;
}

static void look(void *context, const struct check_pose *pose, struct check_sink *sink) {
	struct state *state = context;
	(void)sink;
	for (int i = 0; i < 2; i++) {
		struct leg *leg = &state->legs[i];
		const double bend = leg->applies ? bend_of(leg, pose->world) : NAN;
		if (bend > leg->worst) {
			leg->worst = bend;
			leg->worst_at = pose->sample;
		}
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	for (int i = 0; i < 2; i++) {
		const struct leg *leg = &state->legs[i];
		if (leg->applies && leg->worst_at >= 0) {
			const struct check_value value = check_value_at(
				state->clip, leg->worst, leg->joints[SHIN], leg->worst_at);
			check_emit(sink, &check_rule_motion_knee, &value);
		}
	}
	check_skip(sink, &check_rule_motion_knee,
		"no joints named as thigh, shin, foot and toe, or a leg that is bent forward at "
		"rest");
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.pose = look,
	.end = end,
};

const struct check_rule check_rule_motion_knee = {
	.info =
		{
			.id = "motion/knee",
			.unit = "degrees",
			.catches = "a knee that is bent the wrong way",
			.definition = "For each leg whose joints are named (thigh, shin, foot, "
				      "toe), the angle by "
				      "which the shin points to the side that the toes point to at "
				      "rest, measured "
				      "from the thigh's direction. Legs that are bent forward by "
				      "more than 5 "
				      "degrees at rest, as a bird's seem to be, are left out.",
			.effect = "The knee breaks forwards.",
			.fix = "Check the pole vector of {joint} around {time:3} s of {clip}.",
			.blender = "Check the pole target and Pole Angle of the IK constraint "
				   "(Bone Constraint properties), and roll of the bones (Armature "
				   "> Bone Roll > Recalculate Roll).",
			.maya = "Check the IK handle's pole vector (Constrain > Pole Vector) and "
				"the knee's preferred angle (Skeleton > Set Preferred Angle).",
			.message = "{joint} is bent forward by {value:0} {value:0|degree|degrees} "
				   "at {time:3} s of {clip}",
			.example = "LeftLeg is bent forward by 40 degrees at 1.933 s of Idle",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 8, 25},
		},
	.pass = &pass,
};
