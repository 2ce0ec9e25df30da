// Lengths and scales that should stay as they are: motion/bone_length, motion/scale,
// rig/nonuniform_scale.
#include <math.h>

#include "base/vec.h"
#include "check/motion_steps.h"
#include "check/rules.h"

/* Share of L that a bone is longer than. */
#define BONE_MIN 0.02

/* Values of degenerate scales. */
#define SCALE_MAX 1e6

/* Share of its size at rest below which a joint is out of sight. */
#define UNSEEN 0.01

/* The least and the greatest of some numbers, and the sample of each. */
struct range {
	double least, most;
	int least_at, most_at;
	int count;
};

static void add(struct range *range, double number, int sample) {
	if (range->count == 0 || number < range->least) {
		range->least = number;
		range->least_at = sample;
	}
	if (range->count++ == 0 || number > range->most) {
		range->most = number;
		range->most_at = sample;
	}
}

/* The sample at which a number is farthest from its rest value. */
static int farthest(const struct range *range, double rest) {
	return fabs(range->most - rest) > fabs(range->least - rest) ? range->most_at
								    : range->least_at;
}

static void emit(const struct check_track *track, struct check_sink *sink,
	const struct check_rule *rule, double value, int sample, enum channel_path path) {
	struct check_value at =
		check_value_at(track->clip, fmin(value, SCALE_MAX), track->joint, sample);
	at.channel = track->clip->channel_of[track->joint * 4 + (int)path];
	at.joins_joints = true;
	check_emit(sink, rule, &at);
}

static bool is_bone(const struct check_asset *asset, int joint) {
	const int parent = asset->rig->joints[joint].parent;
	return parent >= 0 && asset->in_skin[joint] && asset->in_skin[parent] &&
		asset->carried[joint] > 0 && asset->carried[parent] > 0 && !asset->in_root[joint] &&
		!asset->in_root[parent];
}

static void look_at_length(const struct check_track *track, struct check_sink *sink) {
	const float *translation = track->asset->rig->joints[track->joint].rest.translation;
	const double rest[3] = {
		(double)translation[0], (double)translation[1], (double)translation[2]};
	const double length = vec3_length(rest);
	struct range range = {0};
	if (!is_bone(track->asset, track->joint) ||
		length * track->scale <= BONE_MIN * track->asset->length) {
		return;
	}
	for (int f = 0; f < track->count; f++) {
		add(&range, vec3_length(track->local[f].t), f);
	}
	emit(track, sink, &check_rule_motion_bone_length, (range.most - range.least) / length,
		farthest(&range, length), CHANNEL_TRANSLATION);
}

/* The greatest share of its size at rest that a joint has on any axis. */
static double size_at(const struct check_track *track, int sample) {
	const float *rest = track->asset->rig->joints[track->joint].rest.scale;
	double size = 0;
	for (int k = 0; k < 3; k++) {
		size = fmax(size, fabs(track->local[sample].s[k] / (double)rest[k]));
	}
	return size;
}

/* Samples first to last without those in which a joint appears, growing out of nothing at the
 * clip's beginning, or vanishes at its end: the only way that a clip has to show and hide things.
 */
struct shown {
	int first, last;
};

static struct shown shown_of(const struct check_track *track) {
	struct shown shown = {0, track->count - 1};
	if (size_at(track, shown.first) < UNSEEN) {
		while (shown.first < shown.last &&
			size_at(track, shown.first + 1) >= size_at(track, shown.first)) {
			shown.first++;
		}
	}
	if (size_at(track, shown.last) < UNSEEN) {
		while (shown.first < shown.last &&
			size_at(track, shown.last - 1) >= size_at(track, shown.last)) {
			shown.last--;
		}
	}
	return shown;
}

static void look_at_scale(const struct check_track *track, struct check_sink *sink) {
	const float *rest = track->asset->rig->joints[track->joint].rest.scale;
	const struct shown shown = shown_of(track);
	double greatest = 0;
	int sample = 0;
	for (int k = 0; k < 3; k++) {
		struct range range = {0};
		for (int f = shown.first; f <= shown.last; f++) {
			add(&range, track->local[f].s[k], f);
		}
		const double change = range.most - range.least;
		const double value = change > 0 ? change / fabs((double)rest[k]) : 0;
		if (value > greatest) {
			greatest = value;
			sample = farthest(&range, (double)rest[k]);
		}
	}
	emit(track, sink, &check_rule_motion_scale, greatest, sample, CHANNEL_SCALE);
}

/* The share by which a scale makes one axis longer than another. */
static double unevenness(const double scale[static 3]) {
	const double x = fabs(scale[0]), y = fabs(scale[1]), z = fabs(scale[2]);
	const double least = fmin(fmin(x, y), z), most = fmax(fmax(x, y), z);
	return most > 0 ? fmin(most / least - 1, SCALE_MAX) : 0;
}

static void look_at_evenness(const struct check_track *track, struct check_sink *sink) {
	double greatest = 0;
	int sample = 0;
	for (int f = 0; f < track->count; f++) {
		const double value = unevenness(track->local[f].s);
		if (value > greatest) {
			greatest = value;
			sample = f;
		}
	}
	emit(track, sink, &check_rule_rig_nonuniform_scale, greatest, sample, CHANNEL_SCALE);
}

static void track(void *context, const struct check_track *track, struct check_sink *sink) {
	(void)context;
	look_at_length(track, sink);
	look_at_scale(track, sink);
	look_at_evenness(track, sink);
}

static void end(void *context, struct check_sink *sink) {
	const struct check_value none = check_value(0);
	(void)context;
	check_emit(sink, &check_rule_motion_bone_length, &none);
	check_emit(sink, &check_rule_motion_scale, &none);
	check_emit(sink, &check_rule_rig_nonuniform_scale, &none);
}

/* Scales at rest. */
static void look_at_rest(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	struct check_value none = check_value(0);
	(void)arena;
	check_emit(sink, &check_rule_rig_nonuniform_scale, &none);
	for (int i = 0; i < asset->rig->joint_count; i++) {
		const float *rest = asset->rig->joints[i].rest.scale;
		const double scale[3] = {(double)rest[0], (double)rest[1], (double)rest[2]};
		if (asset->active[i]) {
			struct check_value value = check_value(unevenness(scale));
			value.joint = i;
			check_emit(sink, &check_rule_rig_nonuniform_scale, &value);
		}
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS,
	.asset = look_at_rest,
	.track = track,
	.end = end,
};

const struct check_rule check_rule_motion_bone_length = {
	.info =
		{
			.id = "motion/bone_length",
			.unit = "share",
			.catches = "bones that change their length",
			.definition = "For each joint that carries vertices and whose parent does, "
				      "the difference "
				      "between its greatest and least distance from its parent, "
				      "over that distance "
				      "at rest. Joints from the root to the hip and bones shorter "
				      "than 0.02 of the "
				      "figure's length are left out.",
			.effect = "A limb grows or shrinks. Cartoons do so on purpose; people "
				  "should not.",
			.fix = "Remove the translation keys of {joint} in {clip}, or set them to "
			       "the rest "
			       "pose's.",
			.blender =
				"Delete the bone's location curves, unless stretching is wanted.",
			.maya = "Delete the joint's translate curves, unless stretching is wanted.",
			.message =
				"The bone from its parent to {joint}{text} changes its length by "
				"{value:%} "
				"in {clip}, most at {time:3} s",
			.example = "The bone from its parent to LeftForeArm changes its length by "
				   "50 % in Idle, most at 2.000 s",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {0.05, 0.2, 0.6},
		},
	.pass = &pass,
};

const struct check_rule check_rule_motion_scale = {
	.info =
		{
			.id = "motion/scale",
			.unit = "share",
			.catches = "joints that change their size",
			.definition = "For each joint and axis, the difference between its "
				      "greatest and least "
				      "scale in the clip, over its scale at rest. Growing out of "
				      "nothing at the "
				      "clip's beginning, and shrinking to nothing at its end, is "
				      "how things appear and vanish, and is left out.",
			.effect = "A part of the figure grows or shrinks.",
			.fix = "Remove the scale keys of {joint} in {clip}.",
			.blender = "Delete the bone's scale curves, or apply the scale (Ctrl+A) "
				   "before "
				   "animating.",
			.maya = "Delete the joint's scale curves, or freeze transformations before "
				"animating.",
			.message = "{joint}{text} changes its size by {value:%} in {clip}, most at "
				   "{time:3} s",
			.example = "Head changes its size by 50 % in Idle, most at 2.000 s",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {INFINITY, 0.15, 0.6},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_nonuniform_scale = {
	.info =
		{
			.id = "rig/nonuniform_scale",
			.unit = "share",
			.catches = "scales that differ by axis",
			.definition = "For each joint, at rest and in each clip, its greatest "
				      "scale of an axis over "
				      "its least one, less 1.",
			.effect = "Everything below the joint is sheared when it turns, and "
				  "engines that "
				  "store one scale per joint show something else.",
			.fix = "Give {joint} the same scale on all axes.",
			.blender = "Apply the scale to armature and mesh (Ctrl+A > Scale), and "
				   "delete the scale curves in the Graph Editor (X).",
			.maya = "Run Modify > Freeze Transformations for the scale before binding, "
				"and delete the scale curves in the Graph Editor.",
			.message = "{joint}{text} is scaled by {value:%} more on one axis than on "
				   "another",
			.example = "LeftArm? is scaled by 100 % more on one axis than on another",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.limits = {0.05, 0.15, INFINITY},
		},
	.pass = &pass,
};
