/* A clip laid out for sampling: what it holds still, and what moves, gathered by the key times that
 * channels share, so that one search serves all of them. Keys stay where they are. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "model/clip.h"
#include "model/transform.h"

struct rig;

/* Rotations that are sampled at once. */
#define TRACK_LANES 8

/* Linear rotations of joints. Where there are fewer, the last one fills the places. */
struct track_rotations {
	const float *values[TRACK_LANES]; // of the first key, 4 each, unit; borrowed
	int joints[TRACK_LANES];
};

/* The greatest number of a vector that is sampled in single precision: no difference of two is too
 * great for it. */
#define TRACK_VECTOR_MAX 1e38f

/* A linear translation or scale. */
struct track_vector {
	const float *values; // of the first key, 3; borrowed
	int at;              // its place in the joints' transforms, as floats
};

/* Linear morph weights of a joint. */
struct track_weights {
	const float *values; // of the first key, [width]; borrowed
	int first, width;    // of the pose's weights
};

/* Linear channels with the same key times. */
struct track_axis {
	const float *times; // [key_count] seconds, ascending; borrowed from a channel
	int key_count;      // >= 2
	double keys_per_s;  // of even times, to half a step; 0 = they are uneven
	/* From a track's key to its next one, as floats, where tracks lie side by side, key by key;
	 * 0 = each track's keys follow one another. */
	int key_stride;
	int rotation_count, vector_count, weights_count;
	struct track_rotations *rotations; // [rotation_count]
	struct track_vector *vectors;      // [vector_count]
	struct track_weights *weights;     // [weights_count]
};

/* All arrays are rig_storage of the clip's rig. */
struct tracks {
	struct transform *still; // [joint_count] at rest, but what the clip holds at one value
	float *weights;          // [weight_count] the same for morph weights
	unsigned char *driven;   // [joint_count] bits 1 << enum channel_path: has a channel
	int axis_count;
	struct track_axis *axes; // [axis_count] but for what the clip's motion has
	int other_count;
	int *others; // [other_count] channels to be sampled on their own
};

/* The place of a translation or scale in the joints' transforms, as floats. */
int track_vector_at(int joint, enum channel_path path);

/* Gives every clip of a rig that keeps rig_check() its tracks: once, before others get at the rig,
 * whose joints and channels then stay as they are. False with ERROR_TOO_LARGE. */
bool rig_make_tracks(struct rig *rig, struct error *err);

/* The same for one of the clips, by its position. */
bool rig_make_clip_tracks(struct rig *rig, int clip, struct error *err);
