// A clip's channels -> what its sampling needs.
#include "model/tracks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/rig.h"

/* A linear channel that moves. */
struct moving {
	const struct channel *channel;
	uint64_t hash; // of its key times
};

struct making {
	struct rig *rig;
	const struct clip *clip;
	struct tracks *tracks;
	struct moving *moving; // [moving_count] with room for all channels; owned
	size_t moving_count;
	struct error *err;
};

static float *still_numbers(const struct making *making, const struct channel *channel) {
	struct transform *still = &making->tracks->still[channel->joint];
	switch (channel->path) {
	case CHANNEL_TRANSLATION:
		return still->translation;
	case CHANNEL_ROTATION:
		return still->rotation;
	case CHANNEL_SCALE:
		return still->scale;
	case CHANNEL_WEIGHTS:
		break;
	}
	return making->tracks->weights + making->rig->joints[channel->joint].first_weight;
}

/* True when all keys have the same bits. Tangents move a spline all the same. */
static bool holds_still(const struct channel *channel) {
	const size_t bytes = (size_t)channel->width * sizeof *channel->values;
	for (int key = 1; key < channel->key_count; key++) {
		const float *value = channel->values + (size_t)key * (size_t)channel->width;
		if (memcmp(value, channel->values, bytes) != 0) {
			return false;
		}
	}
	return channel->interpolation != INTERPOLATION_CUBIC_SPLINE;
}

/* True when single precision is enough for what lies between the keys. */
static bool fits_tracks(const struct channel *channel) {
	const size_t count = (size_t)channel->key_count * (size_t)channel->width;
	float greatest = 0;
	for (size_t i = 0; i < count; i++) {
		greatest = fmaxf(greatest, fabsf(channel->values[i]));
	}
	return channel->interpolation == INTERPOLATION_LINEAR && greatest <= TRACK_VECTOR_MAX;
}

/* FNV-1a over the times' words. */
static uint64_t hash_times(const struct channel *channel) {
	uint64_t hash = 0xcbf29ce484222325;
	for (int key = 0; key < channel->key_count; key++) {
		uint32_t word;
		memcpy(&word, &channel->times[key], sizeof word);
		hash = (hash ^ word) * 0x100000001b3;
	}
	return hash;
}

static bool same_times(const struct channel *a, const struct channel *b) {
	return a->key_count == b->key_count &&
		(a->times == b->times ||
			memcmp(a->times, b->times, (size_t)a->key_count * sizeof *a->times) == 0);
}

/* The position of a channel among those of its axis. */
static int rank(const struct channel *channel) {
	switch (channel->path) {
	case CHANNEL_ROTATION:
		return 0;
	case CHANNEL_TRANSLATION:
	case CHANNEL_SCALE:
		return 1;
	case CHANNEL_WEIGHTS:
		break;
	}
	return 2;
}

/* By key times, then by kind, then by place. */
static int compare(const void *a, const void *b) {
	const struct moving *x = a, *y = b;
	if (x->hash != y->hash) {
		return x->hash < y->hash ? -1 : 1;
	}
	const int order = rank(x->channel) - rank(y->channel);
	return order != 0 ? order : (x->channel > y->channel) - (x->channel < y->channel);
}

static void add_moving(struct making *making, const struct channel *channel) {
	const size_t count = making->moving_count;
	const struct moving *last = count > 0 ? &making->moving[count - 1] : NULL;
	const bool same = last && last->channel->times == channel->times &&
		last->channel->key_count == channel->key_count;
	making->moving[making->moving_count++] =
		(struct moving){channel, same ? last->hash : hash_times(channel)};
}

/* Sorts the channels into what is still, what moves and others. */
static void sort_channels(struct making *making) {
	struct tracks *tracks = making->tracks;
	for (int i = 0; i < making->clip->channel_count; i++) {
		const struct channel *channel = &making->clip->channels[i];
		tracks->driven[channel->joint] |= (unsigned char)(1 << channel->path);
		if (!channel->values) {
			continue; // its segments have tracks of their own
		}
		if (holds_still(channel)) {
			memcpy(still_numbers(making, channel), channel->values,
				(size_t)channel->width * sizeof *channel->values);
		} else if (fits_tracks(channel)) {
			add_moving(making, channel);
		} else {
			tracks->others[tracks->other_count++] = i;
		}
	}
	qsort(making->moving, making->moving_count, sizeof *making->moving, compare);
}

/* Keys per second where each key is less than half a step from even times; else 0. */
static double find_rate(const struct channel *channel) {
	const int last = channel->key_count - 1;
	const double start_s = channel->times[0];
	const double keys_per_s = last / (channel->times[last] - start_s);
	for (int key = 0; key <= last; key++) {
		if (!(fabs((channel->times[key] - start_s) * keys_per_s - key) < 0.5)) {
			return 0;
		}
	}
	return keys_per_s;
}

static bool add_rotations(
	struct making *making, struct track_axis *axis, const struct moving *moving, size_t count) {
	const size_t blocks = (count + TRACK_LANES - 1) / TRACK_LANES;
	axis->rotations =
		rig_storage(making->rig, blocks, sizeof *axis->rotations, "tracks", making->err);
	for (size_t i = 0; axis->rotations && i < blocks * TRACK_LANES; i++) {
		const struct channel *channel = moving[i < count ? i : count - 1].channel;
		struct track_rotations *block = &axis->rotations[i / TRACK_LANES];
		block->values[i % TRACK_LANES] = channel->values;
		block->joints[i % TRACK_LANES] = channel->joint;
	}
	axis->rotation_count = (int)blocks;
	return axis->rotations;
}

int track_vector_at(int joint, enum channel_path path) {
	const size_t within = path == CHANNEL_SCALE ? offsetof(struct transform, scale)
						    : offsetof(struct transform, translation);
	return (int)(((size_t)joint * sizeof(struct transform) + within) / sizeof(float));
}

static bool add_vectors(
	struct making *making, struct track_axis *axis, const struct moving *moving, size_t count) {
	axis->vectors =
		rig_storage(making->rig, count, sizeof *axis->vectors, "tracks", making->err);
	for (size_t i = 0; axis->vectors && i < count; i++) {
		const struct channel *channel = moving[i].channel;
		axis->vectors[i].values = channel->values;
		axis->vectors[i].at = track_vector_at(channel->joint, channel->path);
	}
	axis->vector_count = (int)count;
	return axis->vectors;
}

static bool add_weights(
	struct making *making, struct track_axis *axis, const struct moving *moving, size_t count) {
	axis->weights =
		rig_storage(making->rig, count, sizeof *axis->weights, "tracks", making->err);
	for (size_t i = 0; axis->weights && i < count; i++) {
		const struct channel *channel = moving[i].channel;
		const int first = making->rig->joints[channel->joint].first_weight;
		axis->weights[i] = (struct track_weights){channel->values, first, channel->width};
	}
	axis->weights_count = (int)count;
	return axis->weights;
}

static bool begins_axis(const struct making *making, size_t i) {
	const struct moving *at = &making->moving[i];
	// Other times of the same hash may lie between channels of the same times.
	return i == 0 || !same_times(at->channel, at[-1].channel) ||
		rank(at->channel) < rank(at[-1].channel);
}

/* Adds the axis that begins at a channel. Returns where the next one does; 0 = there is no memory.
 */
static size_t add_axis(struct making *making, size_t begin) {
	size_t counts[3] = {0}, end = begin;
	do {
		counts[rank(making->moving[end].channel)]++;
		end++;
	} while (end < making->moving_count && !begins_axis(making, end));
	const struct moving *moving = &making->moving[begin];
	struct track_axis *axis = &making->tracks->axes[making->tracks->axis_count++];
	axis->times = moving->channel->times;
	axis->key_count = moving->channel->key_count;
	axis->keys_per_s = find_rate(moving->channel);
	return add_rotations(making, axis, moving, counts[0]) &&
			add_vectors(making, axis, moving + counts[0], counts[1]) &&
			add_weights(making, axis, moving + counts[0] + counts[1], counts[2])
		? end
		: 0;
}

static bool add_axes(struct making *making) {
	size_t axes = 0;
	for (size_t i = 0; i < making->moving_count; i++) {
		axes += begins_axis(making, i);
	}
	making->tracks->axes =
		rig_storage(making->rig, axes, sizeof *making->tracks->axes, "tracks", making->err);
	bool ok = making->tracks->axes;
	for (size_t i = 0; ok && i < making->moving_count;) {
		i = add_axis(making, i);
		ok = i > 0;
	}
	return ok;
}

static bool take_arrays(struct making *making) {
	struct rig *rig = making->rig;
	struct tracks *tracks = rig_storage(rig, 1, sizeof *tracks, "tracks", making->err);
	if (!tracks) {
		return false;
	}
	making->tracks = tracks;
	const size_t joints = (size_t)rig->joint_count, weights = (size_t)rig->weight_count;
	const size_t channels = (size_t)making->clip->channel_count;
	tracks->still = rig_storage(rig, joints, sizeof *tracks->still, "tracks", making->err);
	tracks->weights = rig_storage(rig, weights, sizeof *tracks->weights, "tracks", making->err);
	tracks->driven = rig_storage(rig, joints, 1, "tracks", making->err);
	tracks->others = rig_storage(rig, channels, sizeof *tracks->others, "tracks", making->err);
	if (!tracks->still || !tracks->weights || !tracks->driven || !tracks->others) {
		return false;
	}
	for (size_t i = 0; i < joints; i++) {
		tracks->still[i] = rig->joints[i].rest;
	}
	if (weights > 0) {
		memcpy(tracks->weights, rig->rest_weights, weights * sizeof *tracks->weights);
	}
	return true;
}

bool rig_make_clip_tracks(struct rig *rig, int clip, struct error *err) {
	struct making making = {.rig = rig, .clip = &rig->clips[clip], .err = err};
	making.moving = xcalloc((size_t)making.clip->channel_count, sizeof *making.moving);
	bool ok = take_arrays(&making);
	if (ok) {
		sort_channels(&making);
		ok = add_axes(&making);
	}
	free(making.moving);
	rig->clips[clip].tracks = ok ? making.tracks : NULL;
	return ok;
}

bool rig_make_tracks(struct rig *rig, struct error *err) {
	for (int i = 0; i < rig->clip_count; i++) {
		if (!rig_make_clip_tracks(rig, i, err)) {
			return false;
		}
	}
	return true;
}
