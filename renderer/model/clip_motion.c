// Compressed keys of clips, decoded a segment at a time.
#include "model/clip_motion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The last key at or before a time; the first one before it. Times are even but for roundings. */
static int find_key(const struct clip_motion *motion, double time_s) {
	const int last = motion->sample_count - 1;
	const double guess = time_s * motion->rate;
	int key = guess > 0 ? guess < last ? (int)guess : last : 0;
	while (key > 0 && (double)motion->times[key] > time_s) {
		key--;
	}
	while (key < last && (double)motion->times[key + 1] <= time_s) {
		key++;
	}
	return key;
}

/* --- Decoding --- */

static int keys_of(const struct clip_motion *motion, int segment) {
	const int left = motion->sample_count - segment * motion->segment_samples;
	return left > motion->segment_samples ? motion->segment_samples + 1 : left;
}

static int rotation_blocks(const struct clip_motion *motion) {
	return (motion->rotation_count + TRACK_LANES - 1) / TRACK_LANES;
}

/* Floats from a key to the next one: rotations, which come first, do not straddle two of the
 * processor's cache lines. */
static size_t key_stride(const struct clip_motion *motion) {
	return ((size_t)motion->floats + 3) / 4 * 4;
}

/* Memory of a segment: the struct, its axis' arrays, then the keys and their times. */
static struct clip_segment *make_room(const struct clip_motion *motion, int keys) {
	const size_t blocks = (size_t)rotation_blocks(motion);
	const size_t vectors = (size_t)motion->vector_count;
	const size_t weights =
		(size_t)(motion->channel_count - motion->rotation_count - motion->vector_count);
	const size_t bytes = sizeof(struct clip_segment) + blocks * sizeof(struct track_rotations) +
		vectors * sizeof(struct track_vector) + weights * sizeof(struct track_weights) +
		(size_t)keys * (key_stride(motion) + 1) * sizeof(float);
	struct clip_segment *segment = xcalloc(1, bytes);
	struct track_axis *axis = &segment->axis;
	segment->entry = (struct segment_entry){.bytes = bytes, .references = 1};
	*axis = (struct track_axis){.key_count = keys,
		.key_stride = (int)key_stride(motion),
		.rotation_count = (int)blocks,
		.vector_count = (int)vectors,
		.weights_count = (int)weights};
	axis->rotations = (struct track_rotations *)(segment + 1);
	axis->vectors = (struct track_vector *)(axis->rotations + blocks);
	axis->weights = (struct track_weights *)(axis->vectors + vectors);
	segment->values = (const float *)(axis->weights + weights);
	axis->times = segment->values + (size_t)keys * key_stride(motion);
	axis->keys_per_s = motion->rate;
	return segment;
}

/* Points the axis' tracks to their keys. */
static void lay_out(const struct clip_motion *motion, struct clip_segment *segment) {
	struct track_axis *axis = &segment->axis;
	const float *values = segment->values;
	for (int i = 0; i < motion->channel_count; i++) {
		const struct motion_channel *channel = &motion->channels[i];
		const int vector = i - motion->rotation_count;
		if (channel->path == CHANNEL_ROTATION) {
			struct track_rotations *block = &axis->rotations[i / TRACK_LANES];
			// The last one fills the places behind it.
			for (int lane = i % TRACK_LANES; lane < TRACK_LANES; lane++) {
				block->values[lane] = values;
				block->joints[lane] = channel->joint;
			}
		} else if (channel->path == CHANNEL_WEIGHTS) {
			axis->weights[vector - motion->vector_count] = (struct track_weights){
				values, channel->first_weight, channel->width};
		} else {
			axis->vectors[vector] = (struct track_vector){
				values, track_vector_at(channel->joint, channel->path)};
		}
		values += channel->width;
	}
}

/* One sample of the file into a key of all channels. */
static void take_key(const struct clip_motion *motion, const struct pclip_transform *joints,
	const float *weights, float *values) {
	for (int i = 0; i < motion->channel_count; i++) {
		const struct motion_channel *channel = &motion->channels[i];
		const size_t width = (size_t)channel->width;
		const struct pclip_transform *joint = &joints[channel->source];
		const float *from = channel->path == CHANNEL_ROTATION ? joint->rotation
			: channel->path == CHANNEL_TRANSLATION        ? joint->translation
			: channel->path == CHANNEL_SCALE              ? joint->scale
								      : &weights[channel->source];
		memcpy(values, from, width * sizeof *values);
		values += width;
	}
}

static void set_weights(const struct clip_motion *motion, float *weights) {
	for (int i = 0; i < motion->channel_count; i++) {
		const struct motion_channel *channel = &motion->channels[i];
		if (channel->path == CHANNEL_WEIGHTS) {
			memcpy(&weights[channel->source], channel->rest,
				(size_t)channel->width * sizeof *weights);
		}
	}
}

/* NULL for damaged bytes. */
static struct clip_segment *decode(const struct clip_motion *motion, int index) {
	const int first = index * motion->segment_samples, keys = keys_of(motion, index);
	struct arena *arena = arena_create();
	struct pclip_transform *joints =
		arena_alloc(arena, (size_t)motion->file.joint_count, sizeof *joints);
	float *weights = arena_alloc(arena, (size_t)motion->file.weight_count + 1, sizeof *weights);
	const char *why;
	struct pclip *clip = pclip_open(&motion->file, 0, motion->rest,
		arena_alloc(arena, 1, pclip_memory(&motion->file)), &why);
	struct clip_segment *segment = make_room(motion, keys);
	bool done = clip;
	set_weights(motion, weights);
	for (int key = 0; done && key < keys; key++) {
		const int frame = first + key;
		done = pclip_sample(clip, frame + 1 < motion->sample_count ? frame : motion->end,
			joints, weights);
		take_key(motion, joints, weights,
			(float *)segment->values + (size_t)key * key_stride(motion));
	}
	arena_destroy(arena);
	if (!done) {
		free(segment);
		return NULL;
	}
	memcpy((float *)segment->axis.times, motion->times + first,
		(size_t)keys * sizeof *motion->times);
	lay_out(motion, segment);
	segment->entry.key = motion->key;
	segment->entry.key.segment = index;
	return segment;
}

const struct clip_segment *clip_motion_hold(const struct clip_motion *motion, double time_s) {
	const int key = find_key(motion, time_s), last = motion->sample_count - 1;
	struct segment_key wanted = motion->key;
	wanted.segment = (key < last ? key : last - 1) / motion->segment_samples;
	struct segment_entry *entry =
		motion->segments ? segment_cache_find(motion->segments, &wanted) : NULL;
	if (!entry) {
		struct clip_segment *decoded = decode(motion, wanted.segment);
		assert(decoded); // clip_motion_check() has decoded it
		entry = motion->segments ? segment_cache_add(motion->segments, &decoded->entry)
					 : &decoded->entry;
	}
	_Static_assert(offsetof(struct clip_segment, entry) == 0, "an entry is a segment's head");
	return (const struct clip_segment *)entry;
}

void clip_segment_release(const struct clip_segment *segment) {
	segment_entry_release((struct segment_entry *)segment);
}

/* --- Checking, copying --- */

/* A channel's keys of a segment, one after another; at is its place among a key's floats. */
static const float *gather(
	const struct clip_segment *segment, int at, int width, struct arena *arena) {
	const struct track_axis *axis = &segment->axis;
	const size_t count = (size_t)axis->key_count, floats = (size_t)width;
	float *values = arena_alloc(arena, count * floats, sizeof *values);
	for (size_t key = 0; key < count; key++) {
		memcpy(values + key * floats, segment->values + key * (size_t)axis->key_stride + at,
			floats * sizeof *values);
	}
	return values;
}

/* The clip as it were if it had the segment's keys alone. */
static bool check_segment(const struct rig *rig, const struct clip *clip, int index,
	struct channel *channels, struct arena *arena, struct error *err) {
	const struct clip_motion *motion = clip->motion;
	struct clip_segment *segment = decode(motion, index);
	if (!segment) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"compressed clip: the bytes of segment %d are damaged", index);
	}
	struct clip part = {.index = clip->index,
		.duration_s = clip->duration_s,
		.channel_count = motion->channel_count,
		.channels = channels};
	int at = 0;
	for (int i = 0; i < motion->channel_count; i++) {
		const struct motion_channel *channel = &motion->channels[i];
		channels[i] = (struct channel){.joint = channel->joint,
			.path = channel->path,
			.interpolation = INTERPOLATION_LINEAR,
			.key_count = segment->axis.key_count,
			.width = channel->width,
			.times = motion->times + index * motion->segment_samples,
			.values = gather(segment, at, channel->width, arena)};
		at += channel->width;
	}
	bool sound = rig_check_clip(rig, &part, err);
	// Those between keys, if any, are 0.
	const float *end =
		segment->values + segment->axis.key_count * (size_t)segment->axis.key_stride;
	for (const float *number = segment->values; sound && number < end; number++) {
		sound = (*number <= TRACK_VECTOR_MAX && *number >= -TRACK_VECTOR_MAX) ||
			error_set(err, ERROR_BROKEN_ASSET,
				"compressed clip: segment %d has the number %g", index,
				(double)*number);
	}
	segment_entry_release(&segment->entry);
	return sound;
}

bool clip_motion_check(const struct rig *rig, const struct clip *clip, struct error *err) {
	struct channel *channels = xcalloc((size_t)clip->motion->channel_count, sizeof *channels);
	struct arena *arena = arena_create();
	bool sound = true;
	for (int i = 0; sound && i < clip->motion->segment_count; i++) {
		arena_reset(arena);
		sound = check_segment(rig, clip, i, channels, arena, err);
	}
	arena_destroy(arena);
	free(channels);
	return sound;
}

static void *copy(struct rig *rig, const void *from, size_t count, size_t size, struct error *err) {
	void *to = rig_storage(rig, count, size, "a compressed clip", err);
	if (to && count > 0) {
		memcpy(to, from, count * size);
	}
	return to;
}

struct clip_motion *clip_motion_copy(
	struct rig *rig, const struct clip_motion *from, struct error *err) {
	struct clip_motion *motion = copy(rig, from, 1, sizeof *from, err);
	if (!motion) {
		return NULL;
	}
	motion->rest =
		copy(rig, from->rest, (size_t)from->file.joint_count, sizeof *from->rest, err);
	motion->times =
		copy(rig, from->times, (size_t)from->sample_count, sizeof *from->times, err);
	motion->channels =
		copy(rig, from->channels, (size_t)from->channel_count, sizeof *from->channels, err);
	return motion->rest && motion->times && motion->channels ? motion : NULL;
}
