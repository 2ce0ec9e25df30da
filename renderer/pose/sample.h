/* Sampling clips: keys and a time -> local transforms and morph weights. */
#pragma once

#include "pose/pose.h"

/* Writes a channel's value at a time: channel->width numbers, rotations unit. Before the first key
 * the first value holds, after the last the last; a key that is hit exactly is returned to the bit.
 * STEP holds a key until the next, LINEAR is lerp, for rotations slerp the shorter way, cubic
 * spline is glTF's Hermite form, rotations normalised after it.
 * out is [channel->width], the caller's. Never fails. METHODS C.1; glTF 2.0, appendix C. */
void channel_sample(const struct channel *channel, double time_s, float *out);

/* Overwrites what the clip drives in the pose (of the clip's rig) by its value at time_s, on the
 * clip's own key axis, and marks it as driven; the rest stays. Never fails. */
void clip_sample(const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose);
