/* The compressed keys of a clip: a .pclip file whose samples are decoded some at a time, when
 * somebody asks for what is between them. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/rig.h"
#include "model/segment_cache.h"
#include "model/tracks.h"
#include "pclip.h"

/* Bytes of all keys of a clip once they are decoded. */
#define CLIP_MOTION_BYTES_MAX ((size_t)1 << 29)

/* A channel whose keys are in the file. */
struct motion_channel {
	int joint; // of the rig
	enum channel_path path;
	int width, first_weight; // the latter of the rig's, for CHANNEL_WEIGHTS
	int source;              // the joint in the file; of weights the first one there
	const float *rest;       // [width] weights that the file leaves as they are
};

struct clip_motion {
	struct pclip_file file;             // its bytes are borrowed
	const struct pclip_transform *rest; // [file.joint_count]
	int sample_count;                   // >= 2
	double rate, duration_s;            // sample i is at i / rate, the last one at duration_s
	double end;         // the last one's time in the file, whose second is a frame
	const float *times; // [sample_count] of the samples
	int segment_samples, segment_count; // a segment reaches to the first sample of the next
	/* By kind: rotations, then translations and scales, then weights. */
	const struct motion_channel *channels; // [channel_count]
	int channel_count, rotation_count, vector_count;
	int floats; // of one sample of all channels

	double tolerance_m, error_m, shell_m; // as the encoder measured them
	int codec;                            // enum pclip_codec
	size_t packed_bytes;                  // of the clip in the store

	struct segment_key key;         // but for the segment
	struct segment_cache *segments; // borrowed; NULL = none
};

/* Some successive keys of a motion, decoded. */
struct clip_segment {
	struct segment_entry entry;
	_Alignas(16) struct track_axis axis; // its arrays follow the struct
	const float *values; // [key_count] all channels' of a key, key_stride floats apart
};

/* The keys around a time; before the start the first ones, after the end the last. Release it. Any
 * thread. */
const struct clip_segment *clip_motion_hold(const struct clip_motion *motion, double time_s);
void clip_segment_release(const struct clip_segment *segment);

/* Decodes every segment once, and checks that all keys are fit to be sampled on a rig; clip is the
 * motion's. False with ERROR_BROKEN_ASSET. */
bool clip_motion_check(const struct rig *rig, const struct clip *clip, struct error *err);

/* A copy in the rig's storage but for the file's bytes and the weights at rest, which stay
 * borrowed. NULL with ERROR_TOO_LARGE. */
struct clip_motion *clip_motion_copy(
	struct rig *rig, const struct clip_motion *from, struct error *err);
