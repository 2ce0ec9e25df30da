// Channels of a clip baked at its native samples.
#include "baked_channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "check.h"
#include "check/samples.h"
#include "pose/sample/sampler.h"
#include "rigs.h"

static struct channel *find_channel(struct clip *clip, int joint, enum channel_path path) {
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].joint == joint && clip->channels[i].path == path) {
			return &clip->channels[i];
		}
	}
	clip->channels =
		xrealloc(clip->channels, (size_t)(clip->channel_count + 1), sizeof *clip->channels);
	clip->channels[clip->channel_count] = (struct channel){
		.joint = joint, .path = path, .width = path == CHANNEL_ROTATION ? 4 : 3};
	return &clip->channels[clip->channel_count++];
}

static const float *rest_of(const struct rig *rig, int joint, enum channel_path path) {
	const struct transform *rest = &rig->joints[joint].rest;
	return path == CHANNEL_ROTATION       ? rest->rotation
		: path == CHANNEL_TRANSLATION ? rest->translation
					      : rest->scale;
}

struct baked_channel bake_channel(
	struct rig *rig, const char *clip, const char *joint, enum channel_path path) {
	struct arena *arena = arena_create();
	const struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	// No joint is active: samples hang on keys alone, and lengths would take their time.
	const struct check_asset asset = {
		.rig = rig,
		.profile = &profile,
		.active = arena_alloc(arena, (size_t)rig->joint_count, sizeof(bool)),
	};
	const int position = rig_find_clip(rig, clip), at = rig_find_joint(rig, joint);
	assert_true(position >= 0 && at >= 0);
	const struct check_clip *samples = check_clip_create(&asset, position, arena);
	struct channel *channel = find_channel(&rig->clips[position], at, path);
	const struct baked_channel baked = {
		.values = rig_storage(rig, (size_t)samples->count * (size_t)channel->width,
			sizeof(float), "keys", NULL),
		.times = rig_storage(rig, (size_t)samples->count, sizeof(float), "keys", NULL),
		.count = samples->count,
		.width = channel->width,
	};
	for (int f = 0; f < samples->count; f++) {
		const double time_s = check_clip_time(samples, f);
		float *key = baked.values + f * channel->width;
		baked.times[f] = (float)time_s;
		if (channel->key_count > 0) {
			channel_sample(channel, time_s, key);
		} else {
			memcpy(key, rest_of(rig, at, path), (size_t)channel->width * sizeof *key);
		}
	}
	channel->interpolation = INTERPOLATION_LINEAR;
	channel->key_count = baked.count;
	channel->times = baked.times;
	channel->values = baked.values;
	rig->clips[position].tracks = NULL;
	arena_destroy(arena);
	return baked;
}

void turn_key(float *key, double x, double y, double z, double degrees) {
	struct transform turn = TRANSFORM_IDENTITY;
	double a[4], b[4];
	set_rotation(&turn, x, y, z, degrees);
	for (int i = 0; i < 4; i++) {
		a[i] = (double)key[i];
		b[i] = (double)turn.rotation[i];
	}
	quat_multiply(a, b, a);
	for (int i = 0; i < 4; i++) {
		key[i] = (float)a[i];
	}
}
