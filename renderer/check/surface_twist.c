// surface/twist: joints turned about their own bone where skin spans the turn.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check/rules.h"
#include "check/surface.h"

/* A joint that is looked at. */
struct twist {
	int joint;
	double axis[3];    // of the bone, in the joint's rest frame; unit
	double inverse[4]; // of the rest rotation
	double worst_deg;
	int sample;
};

struct state {
	const struct check_clip *clip;
	struct twist *twists; // [count]
	int count;
	bool blends_matrices;
};

static void set_rotation(const struct transform *transform, double q[static 4]) {
	for (int k = 0; k < 4; k++) {
		q[k] = (double)transform->rotation[k];
	}
	quat_normalize(q);
}

/* Matrices are blended by lbs; other methods turn the skin without wringing it. */
static bool blends_matrices(const struct check_asset *asset) {
	const char *method = asset->profile->settings.skinning;
	return !method || strcmp(method, "lbs") == 0;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const struct check_surface *surface = asset->surface;
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	state->clip = clip;
	state->twists = arena_alloc(arena, (size_t)surface->support_count, sizeof *state->twists);
	state->blends_matrices = blends_matrices(asset);
	for (int i = 0; i < surface->support_count; i++) {
		const int joint = surface->supports[i].joint;
		struct twist *twist = &state->twists[state->count];
		double rest[4];
		*twist = (struct twist){.joint = joint, .worst_deg = -1, .sample = -1};
		set_rotation(&asset->rig->joints[joint].rest, rest);
		quat_conjugate(rest, twist->inverse);
		memcpy(twist->axis, surface->supports[i].axis, sizeof twist->axis);
		state->count += vec3_length(twist->axis) > 0;
	}
	return state;
}

static void pose(void *context, const struct check_pose *pose, struct check_sink *sink) {
	struct state *state = context;
	(void)sink;
	for (int i = 0; i < state->count; i++) {
		struct twist *at = &state->twists[i];
		double q[4], swing[4], twist[4];
		set_rotation(&pose->pose->local[at->joint], q);
		quat_multiply(at->inverse, q, q);
		quat_swing_twist(q, at->axis, swing, twist);
		const double deg =
			2 * CHECK_DEGREES * angle_atan2(vec3_length(twist), fabs(twist[3]));
		if (deg > at->worst_deg) {
			at->worst_deg = deg;
			at->sample = pose->sample;
		}
	}
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const struct check_rule *rule = &check_rule_surface_twist;
	if (!state->blends_matrices) {
		check_skip(sink, rule, "the skinning method does not blend matrices");
	} else if (state->count == 0) {
		check_skip(sink, rule, "no joint shares vertices with the one above it");
	}
	for (int i = 0; state->blends_matrices && i < state->count; i++) {
		const struct twist *at = &state->twists[i];
		struct check_value value =
			check_value_at(state->clip, at->worst_deg, at->joint, at->sample);
		value.joins_joints = true;
		check_emit(sink, rule, &value);
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN,
	.begin = begin,
	.pose = pose,
	.end = end,
};

const struct check_rule check_rule_surface_twist = {
	.info =
		{
			.id = "surface/twist",
			.unit = "degrees",
			.catches = "a joint twisted against the one above it where skin spans both",
			.definition = "For each joint that shares 6 or more vertices with the "
				      "nearest joint above "
				      "it (each with more than 0.1 of the weight), the angle by "
				      "which it turns "
				      "about its own bone against the rest pose, at most over all "
				      "samples of the "
				      "clip. Only for skinning methods that blend matrices.",
			.effect = "The limb wrings out between the two joints: at 180 degrees it "
				  "is a "
				  "point.",
			.fix = "Turn {joint} by less, spread the turn over twist joints, or use "
			       "dual "
			       "quaternions where the engine has them.",
			.blender = "Check the bone's rotation in the Graph Editor for a flip (an "
				   "IK pole "
				   "or Euler angles); else add twist bones that copy a part of it.",
			.maya = "Check the joint's rotation in the Graph Editor for a flip (an IK "
				"pole "
				"vector, or Curves > Euler Filter); else add twist joints.",
			.message = "Skin is twisted by {value:0} {value:0|degree|degrees} about "
				   "the bone of {joint}{text} at {time:3} s of {clip}",
			.example = "Skin is twisted by 164 degrees about the bone of Head at 2.000 "
				   "s of Idle",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 130, 160},
		},
	.pass = &pass,
};
