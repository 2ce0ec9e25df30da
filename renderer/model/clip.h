/* A clip: channels of keys that drive joints over time, as read from a file. Plain data. */
#pragma once

#include <stddef.h>

struct clip_motion;
struct tracks;

enum interpolation {
	INTERPOLATION_STEP,
	INTERPOLATION_LINEAR,
	INTERPOLATION_CUBIC_SPLINE, // glTF's: in-tangent, value, out-tangent per key, per second
};

enum channel_path {
	CHANNEL_TRANSLATION, // width 3
	CHANNEL_ROTATION,    // width 4, quaternions x y z w
	CHANNEL_SCALE,       // width 3
	CHANNEL_WEIGHTS,     // width = the joint's number of morph weights
};

struct channel {
	int joint; // index into rig->joints
	enum channel_path path;
	enum interpolation interpolation;
	int key_count;      // >= 1
	int width;          // numbers per value
	const float *times; // [key_count] seconds, ascending; borrowed from clip->storage
	/* [key_count][width], cubic spline [key_count][3][width]; borrowed. NULL = they are in the
	 * clip's motion. */
	const float *values;
};

struct clip {
	char *name;        // unique within the rig; owned
	int index;         // in the file
	double duration_s; // greatest key time; clips are sampled on [0, duration_s]
	int channel_count;
	struct channel *channels; // owned
	size_t bytes;             // of all keys
	/* The channels laid out for sampling, rig_storage; NULL = they are sampled one by one. */
	const struct tracks *tracks;
	/* The compressed keys of channels without values, rig_storage or in an arena; NULL = all
	 * channels have values. clip_expand() (pose/sample/expand.h) gives them values. */
	const struct clip_motion *motion;
};
