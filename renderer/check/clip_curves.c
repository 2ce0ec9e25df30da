// The curves between keys: clip/overshoot and clip/redundant.
#include <math.h>

#include "base/quat.h"
#include "base/vec.h"
#include "check/rules.h"
#include "pose/sample/sampler.h"

/* Degrees between two keys that an overshoot is measured beyond, at least. */
#define TURN_MIN 5

/* A key is redundant within this angle, in degrees, and this share of L. */
#define SAME_ANGLE 0.1
#define SAME_LENGTH 1e-4

static double degrees(double radians) {
	return radians * CHECK_DEGREES;
}

/* The rotation of a key, of length 1. */
static void load_key(const struct channel *channel, int key, double out[static 4]) {
	const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
	const float *value = channel->values + (size_t)(cubic ? key * 3 + 1 : key) * 4;
	for (int i = 0; i < 4; i++) {
		out[i] = (double)value[i];
	}
	quat_normalize(out);
}

/* --- Overshoot --- */

static double overshoot(const struct channel *channel, int key) {
	double from[4], to[4], middle[4], sampled[4];
	float value[4];
	const double time_s = 0.5 * ((double)channel->times[key] + (double)channel->times[key + 1]);
	load_key(channel, key, from);
	load_key(channel, key + 1, to);
	quat_slerp(from, to, 0.5, middle);
	channel_sample(channel, time_s, value);
	for (int i = 0; i < 4; i++) {
		sampled[i] = (double)value[i];
	}
	quat_normalize(sampled);
	const double turn = degrees(check_angle(from, to));
	return degrees(check_angle(middle, sampled)) - fmax(turn, TURN_MIN);
}

static bool look_at_cubic(const struct check_clip *clip, int position, struct check_sink *sink) {
	const struct channel *channel = &clip->clip->channels[position];
	double greatest = 0, at = NAN;
	if (channel->path != CHANNEL_ROTATION ||
		channel->interpolation != INTERPOLATION_CUBIC_SPLINE) {
		return false;
	}
	for (int key = 0; key + 1 < channel->key_count; key++) {
		const double beyond = overshoot(channel, key);
		if (beyond > greatest) {
			greatest = beyond;
			at = 0.5 * ((double)channel->times[key] + (double)channel->times[key + 1]);
		}
	}
	struct check_value value = check_value(greatest);
	value.joint = channel->joint;
	value.time_s = at;
	value.channel = position;
	check_emit(sink, &check_rule_clip_overshoot, &value);
	return true;
}

/* --- Redundant keys --- */

/* The share of the way from the key before to the one after. */
static double share_of(const struct channel *channel, int key) {
	const double before = (double)channel->times[key - 1];
	const double step = (double)channel->times[key + 1] - before;
	return step > 0 ? ((double)channel->times[key] - before) / step : 0;
}

static bool is_same_rotation(const struct channel *channel, int key) {
	double before[4], at[4], after[4], between[4];
	load_key(channel, key - 1, before);
	load_key(channel, key, at);
	load_key(channel, key + 1, after);
	quat_slerp(before, after, share_of(channel, key), between);
	return degrees(check_angle(between, at)) <= SAME_ANGLE;
}

/* The greatest distance of a number that a key has from what its neighbours would give. */
static double distance_between(const struct channel *channel, int key) {
	const size_t width = (size_t)channel->width;
	const float *at = channel->values + (size_t)key * width;
	const double share = share_of(channel, key);
	double greatest = 0;
	for (size_t i = 0; i < width; i++) {
		const double between =
			(1 - share) * (double)(at - width)[i] + share * (double)(at + width)[i];
		greatest = fmax(greatest, fabs((double)at[i] - between));
	}
	return greatest;
}

static bool is_redundant(const struct check_asset *asset, const struct channel *channel, int key) {
	const double length = SAME_LENGTH * asset->length;
	switch (channel->path) {
	case CHANNEL_ROTATION:
		return is_same_rotation(channel, key);
	case CHANNEL_TRANSLATION:
		return distance_between(channel, key) * asset->translation_scale[channel->joint] <=
			length;
	case CHANNEL_SCALE:
		return distance_between(channel, key) * asset->reach[channel->joint] <= length;
	case CHANNEL_WEIGHTS:
		return distance_between(channel, key) <= SAME_LENGTH;
	}
	return false;
}

static void look(const struct check_asset *asset, const struct check_clip *clip,
	struct arena *arena, struct check_sink *sink) {
	double keys = 0, redundant = 0;
	bool cubic = false;
	(void)arena;
	for (int i = 0; i < clip->clip->channel_count; i++) {
		const struct channel *channel = &clip->clip->channels[i];
		cubic |= look_at_cubic(clip, i, sink);
		keys += channel->key_count;
		for (int key = 1; channel->interpolation == INTERPOLATION_LINEAR &&
			key + 1 < channel->key_count;
			key++) {
			redundant += is_redundant(asset, channel, key);
		}
	}
	if (!cubic) {
		check_skip(sink, &check_rule_clip_overshoot, "no cubic rotations");
	}
	struct check_value value = check_value(keys > 0 ? redundant / keys : 0);
	check_value_param(&value, "redundant", redundant);
	check_value_param(&value, "keys", keys);
	check_emit(sink, &check_rule_clip_redundant, &value);
}

static const struct check_pass pass = {.clip = look};

const struct check_rule check_rule_clip_overshoot = {
	.info =
		{
			.id = "clip/overshoot",
			.unit = "degrees",
			.catches = "a cubic curve that leaves its keys",
			.definition = "For each segment of a channel of rotations with CUBICSPLINE "
				      "interpolation, "
				      "the angle between the rotation at its middle and the middle "
				      "of its two "
				      "keys, less the angle between the keys, which counts as at "
				      "least 5 degrees.",
			.effect = "The limb swings out and back between two keys.",
			.fix = "Flatten the tangents of {joint} around {time:3} s of {clip}.",
			.blender = "In the Graph Editor set the handles to Auto Clamped (V), or "
				   "export with Animation > Sampling Animations on.",
			.maya = "In the Graph Editor choose Tangents > Auto or Tangents > Linear, "
				"or run Key > Bake Simulation.",
			.message = "Between two keys {joint} swings {value:0} "
				   "{value:0|degree|degrees} farther than they say, at {time:3} s "
				   "of {clip}",
			.example = "Between two keys LeftForeArm swings 93 degrees farther than "
				   "they say, at 0.165 s of Walk",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, 8, 30},
		},
	.pass = &pass,
};

const struct check_rule check_rule_clip_redundant = {
	.info =
		{
			.id = "clip/redundant",
			.unit = "share",
			.catches = "keys that interpolation would give anyway",
			.definition = "The share of all keys that linear interpolation between the "
				      "keys before and "
				      "after would give within 0.1 degrees, or within 0.0001 of "
				      "the figure's "
				      "length.",
			.effect = "The file is larger than it need be.",
			.fix = "Remove {redundant:#} of {keys:#} {keys|key|keys} of {clip}.",
			.blender = "Turn on Export > Animation > Optimize Animation Size.",
			.maya = "Choose Curves > Simplify Curve in the Graph Editor.",
			.message = "{redundant:#} of {keys:#} {keys|key|keys} ({value:%}) of "
				   "{clip} could be left out",
			.example = "972 of 1340 keys (72.5 %) of Run could be left out",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {0.5, INFINITY, INFINITY},
		},
	.pass = &pass,
};
