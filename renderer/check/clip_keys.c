// Keys as the file has them: clip/key_order, nonfinite, quat_length, quat_sign, quat_sign_cubic.
#include <math.h>

#include "check/rules.h"

static const char *const paths[] = {"translation", "rotation", "scale", "weights"};

static struct check_value value_of(const struct channel_facts *channel,
	const struct key_flaws *flaws, double number, int position) {
	struct check_value value = check_value(number);
	value.joint = channel->joint;
	value.time_s = (double)flaws->time_s;
	value.channel = position;
	value.text = channel->joint >= 0 ? paths[channel->path] : "channel";
	check_value_param(&value, "key", flaws->key);
	check_value_param(&value, "keys", flaws->count);
	return value;
}

static const struct check_rule *rule_of_sign(enum interpolation interpolation) {
	switch (interpolation) {
	case INTERPOLATION_LINEAR:
		return &check_rule_clip_quat_sign;
	case INTERPOLATION_CUBIC_SPLINE:
		return &check_rule_clip_quat_sign_cubic;
	case INTERPOLATION_STEP:
		break;
	}
	return NULL;
}

static void look_at_channel(
	const struct channel_facts *channel, int position, struct check_sink *sink) {
	const struct {
		enum key_flaw_kind kind;
		const struct check_rule *rule;
	} rows[] = {
		{KEY_ORDER, &check_rule_clip_key_order},
		{KEY_NONFINITE, &check_rule_clip_nonfinite},
		{KEY_SIGN, rule_of_sign(channel->interpolation)},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct key_flaws *flaws = &channel->flaws[rows[i].kind];
		if (rows[i].rule && flaws->count > 0) {
			struct check_value value = value_of(channel, flaws, flaws->count, position);
			// One exporter wrote all joints of a clip.
			value.joins_joints = rows[i].rule == &check_rule_clip_quat_sign;
			check_emit(sink, rows[i].rule, &value);
		}
	}
	const struct key_flaws *length = &channel->flaws[KEY_LENGTH];
	const struct check_value value = value_of(channel, length, (double)length->worst, position);
	check_emit(sink, &check_rule_clip_quat_length, &value);
}

static void look(const struct check_asset *asset, const struct check_clip *clip,
	struct arena *arena, struct check_sink *sink) {
	const struct check_rule *const rules[] = {&check_rule_clip_key_order,
		&check_rule_clip_nonfinite, &check_rule_clip_quat_length,
		&check_rule_clip_quat_sign, &check_rule_clip_quat_sign_cubic};
	const struct check_value none = check_value(0);
	(void)arena;
	if (clip->index >= asset->facts->clip_count) {
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
			check_skip(sink, rules[i], "the clip is not one of the file's");
		}
		return;
	}
	const struct clip_facts *facts = &asset->facts->clips[clip->index];
	for (int i = 0; i < facts->channel_count + facts->other_count; i++) {
		look_at_channel(&asset->facts->channels[facts->first_channel + i], i, sink);
	}
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		check_emit(sink, rules[i], &none);
	}
}

static const struct check_pass pass = {.clip = look};

const struct check_rule check_rule_clip_key_order = {
	.info =
		{
			.id = "clip/key_order",
			.unit = "keys",
			.catches = "key times that do not increase",
			.definition = "For each channel, the number of keys whose time is not "
				      "after that of the key "
				      "before. Keys that go back in time are left out of the rest "
				      "of the check.",
			.effect = "Players disagree: the clip hangs, jumps, or is refused.",
			.fix = "Sort or delete the keys of {joint} around {time:3} s of {clip}.",
			.blender = "In the Dope Sheet delete keys that share a frame, and export "
				   "again.",
			.maya = "In the Graph Editor delete keys that share a time, and export "
				"again.",
			.message = "{value:#} {value|key|keys} of the {text} of {joint} in {clip} "
				   "{value|is|are} not later than the key before, {value|at|the "
				   "first at} {time:3} s",
			.example = "2 keys of the rotation of LeftArm in Walk are not later than "
				   "the key before, the first at 0.300 s",
			.khronos = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_nonfinite = {
	.info =
		{
			.id = "clip/nonfinite",
			.unit = "keys",
			.catches = "keys that are no numbers",
			.definition = "For each channel, the number of keys with a time, value or "
				      "tangent that is "
				      "infinite or no number. The rest of the check leaves these "
				      "keys out.",
			.effect = "The figure vanishes at that moment, or from there on.",
			.fix = "Delete or set the key of {joint} at {time:3} s of {clip}.",
			.blender = "Look for drivers and constraints that divide by zero, and bake "
				   "the "
				   "action again.",
			.maya = "Look for expressions that divide by zero, and bake the simulation "
				"again.",
			.message =
				"{value:#} {value|key|keys} of the {text} of {joint} in {clip} "
				"{value|is no number, at|are no numbers, the first at} {time:3} s",
			.example = "2 keys of the rotation of LeftArm in Walk are no numbers, the "
				   "first at 0.150 s",
			.khronos = "ACCESSOR_INVALID_FLOAT",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_quat_length = {
	.info =
		{
			.id = "clip/quat_length",
			.unit = "1",
			.catches = "rotation keys that are not of length 1",
			.definition = "For each channel of rotations, the greatest difference of a "
				      "key's length "
				      "from 1, in the file's own data, less what its integer "
				      "format explains.",
			.effect = "The limb is scaled or sheared in players that do not normalise.",
			.fix = "Normalise the rotation key of {joint} at {time:3} s of {clip}.",
			.blender = "Bake the action (Pose > Animation > Bake Action): baking "
				   "normalises the rotations.",
			.maya = "Run Key > Bake Simulation, and export again.",
			.message = "A rotation key of {joint} at {time:3} s of {clip} is off "
				   "length 1 by "
				   "{value}",
			.example = "A rotation key of LeftArm at 0.150 s of Walk is off length 1 "
				   "by 0.1",
			.khronos = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, 0.001, 0.05},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_quat_sign = {
	.info =
		{
			.id = "clip/quat_sign",
			.unit = "keys",
			.catches = "neighbouring linear keys in opposite hemispheres",
			.definition =
				"For each channel of rotations with LINEAR interpolation, "
				"the number of keys "
				"whose quaternion has a negative dot product with the one "
				"before. glTF asks "
				"players to take the shorter way, which makes it harmless. All "
				"joints of a clip are one finding, that of the joint with most.",
			.effect =
				"The limb spins the long way round in players that do not take the "
				"shorter way.",
			.fix = "Negate {value|that key|every second such key} of {joint}{text} in "
			       "{clip}.",
			.blender = "Export with Animation > Sampling Animations on, which keeps "
				   "the signs alike; for Euler curves apply Key > Discontinuity "
				   "(Euler) Filter in the Graph Editor.",
			.maya = "In the Graph Editor apply Curves > Euler Filter before the "
				"export.",
			.message = "{value:#} {value|key|keys} of {joint}{text} in {clip} "
				   "{value|is|are} on the opposite side of the key before",
			.example = "2 keys of LeftArm in Walk are on the opposite side of the key "
				   "before",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {1, INFINITY, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_quat_sign_cubic = {
	.info =
		{
			.id = "clip/quat_sign_cubic",
			.unit = "keys",
			.catches = "cubic keys in opposite hemispheres: a real spin",
			.definition = "For each channel of rotations with CUBICSPLINE "
				      "interpolation, the number of "
				      "keys whose quaternion has a negative dot product with the "
				      "one before. "
				      "Nothing mends that: the curve runs through zero.",
			.effect = "The limb spins by a full turn between two keys.",
			.fix = "Negate the keys of {joint} from {time:3} s of {clip} on, with "
			       "their "
			       "tangents.",
			.blender =
				"Export with Animation > Sampling Animations on; for Euler curves "
				"apply Key > Discontinuity (Euler) Filter in the Graph Editor.",
			.maya = "In the Graph Editor apply Curves > Euler Filter, or run Key > "
				"Bake Simulation.",
			.message = "{value:#} cubic {value|key|keys} of {joint} in {clip} "
				   "{value|is|are} on the opposite side of the key before, "
				   "{value|at|the first at} {time:3} s: the joint spins there",
			.example = "2 cubic keys of LeftForeArm in Walk are on the opposite side "
				   "of the key before, the first at 0.150 s: the joint spins there",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};
