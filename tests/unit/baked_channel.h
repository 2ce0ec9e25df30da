/* Channels of a clip baked at its native samples, for faults to be put into. */
#pragma once

#include "model/rig.h"

struct baked_channel {
	float *values; // [count][width], the rig's own: write to them
	float *times;  // [count]
	int count, width;
};

/* Replaces a joint's channel of a clip, which there may be none of, by one that has a LINEAR key at
 * each native sample of the clip. Names as in the rig. */
struct baked_channel bake_channel(
	struct rig *rig, const char *clip, const char *joint, enum channel_path path);

/* Turns a rotation key about an axis (unit) of the joint. */
void turn_key(float *key, double x, double y, double z, double degrees);
