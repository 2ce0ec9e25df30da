// Clips sampled in other ways than their files say.
#include "pose/sample/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The keys of a channel, as the file has them or made from it. */
struct keys {
	const struct channel *channel;
	double rate_hz, end_s; // rate_hz 0: the file's own
	int count;
};

static struct keys make_keys(
	const struct channel *channel, const struct clip *clip, double rate_hz) {
	struct keys keys = {channel, rate_hz, clip->duration_s, channel->key_count};
	if (rate_hz > 0) {
		const double whole = ceil(clip->duration_s * rate_hz);
		keys.count = (int)whole + 1;
		// The last whole one may be the end but for a rounding.
		keys.count -= whole > 0 && (whole - 1) / rate_hz >= clip->duration_s ? 1 : 0;
	}
	return keys;
}

static double key_time(const struct keys *keys, int key) {
	if (keys->rate_hz == 0) {
		return keys->channel->times[key];
	}
	return key == keys->count - 1 ? keys->end_s : key / keys->rate_hz;
}

/* The last key at or before the time; -1 before the first. */
static int find_key(const struct keys *keys, double time_s) {
	int low = -1, high = keys->count;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		if (key_time(keys, middle) <= time_s) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Poses at keys of channels whose keys are compressed, which are decoded for all channels at once.
 */
#define POSES 4

struct key_poses {
	const struct rig *rig;
	const struct clip *clip;
	struct arena *arena; // NULL = the clip has no such channels
	struct pose poses[POSES];
	double times_s[POSES]; // of each; NAN = none
};

static struct key_poses key_poses_make(const struct rig *rig, const struct clip *clip) {
	struct key_poses poses = {rig, clip, clip->motion ? arena_create() : NULL, {{0}}, {0}};
	for (int i = 0; poses.arena && i < POSES; i++) {
		poses.poses[i] = pose_rest(rig, poses.arena);
		poses.times_s[i] = NAN;
	}
	return poses;
}

/* All channels look at the same four keys, as they have the same times. */
static void read_pose(struct key_poses *poses, const struct channel *channel, int key,
	double time_s, float *out) {
	const int at = key % POSES;
	int width;
	if (!(poses->times_s[at] == time_s)) {
		clip_sample(poses->rig, poses->clip, time_s, &poses->poses[at]);
		poses->times_s[at] = time_s;
	}
	const float *numbers =
		pose_channel(poses->rig, &poses->poses[at], channel->joint, channel->path, &width);
	memcpy(out, numbers, (size_t)width * sizeof *out);
}

/* At the very time of a file's key, its own sampling gives that key. */
static void read_key(const struct keys *keys, struct key_poses *poses, int key, float *out) {
	const double time_s = key_time(keys, key);
	if (keys->channel->values) {
		channel_sample(keys->channel, time_s, out);
	} else {
		read_pose(poses, keys->channel, key, time_s, out);
	}
}

/* room is [4 * width]. */
static void sample_channel(const struct sampler *sampler, const struct keys *keys,
	struct key_poses *poses, double time_s, float *room, float *out) {
	const struct channel *channel = keys->channel;
	const int key = find_key(keys, time_s);
	if (key < 0 || key == keys->count - 1 || key_time(keys, key) == time_s) {
		read_key(keys, poses, key < 0 ? 0 : key, out);
		return;
	}
	struct spline_key around[4] = {0};
	for (int i = 0; i < 4; i++) {
		const int k = key - 1 + i;
		if (k >= 0 && k < keys->count) {
			float *values = room + (size_t)i * (size_t)channel->width;
			read_key(keys, poses, k, values);
			around[i] = (struct spline_key){key_time(keys, k), values};
		}
	}
	spline_between(&sampler->spline, around, time_s, channel->width,
		channel->path == CHANNEL_ROTATION, out);
}

static int greatest_width(const struct clip *clip) {
	int width = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		width = clip->channels[i].width > width ? clip->channels[i].width : width;
	}
	return width;
}

static bool is_finite(const float *numbers, int count) {
	for (int i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return false;
		}
	}
	return true;
}

bool sampler_pose(const struct sampler *sampler, const struct rig *rig, const struct clip *clip,
	double time_s, struct pose *out, int *joint) {
	float *room = xcalloc(4 * (size_t)greatest_width(clip), sizeof *room);
	struct key_poses poses = key_poses_make(rig, clip);
	bool ok = true;
	pose_set_rest(rig, 0, out);
	for (int i = 0; ok && i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const struct keys keys = make_keys(channel, clip, sampler->rate_hz);
		int width;
		float *numbers = pose_channel(rig, out, channel->joint, channel->path, &width);
		sample_channel(sampler, &keys, &poses, time_s, room, numbers);
		out->driven[channel->joint] |= (unsigned char)(1 << channel->path);
		*joint = channel->joint;
		ok = is_finite(numbers, width);
	}
	arena_destroy(poses.arena);
	free(room);
	return ok;
}
