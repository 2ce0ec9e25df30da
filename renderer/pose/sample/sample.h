/* Sampling clips: keys and a time -> local transforms and morph weights. */
#pragma once

#include "pose/pose.h"

/* Writes a channel's value at a time: channel->width numbers, rotations unit. Before the first key
 * the first value holds, after the last the last; a key that is hit exactly is returned to the bit.
 * STEP holds a key until the next, LINEAR is lerp, for rotations slerp the shorter way, cubic
 * spline is glTF's Hermite form, rotations normalised after it.
 * out is [channel->width], the caller's. Never fails. METHODS C.1; glTF 2.0, appendix C. */
void channel_sample(const struct channel *channel, double time_s, float *out);

/* Fills the pose (of the clip's rig) with what the clip holds at time_s, on its own key axis: the
 * values of its channels, which are driven, and the rest pose beside them, which is not. As exact
 * as channel_sample() but for linear transforms between keys: rotations to 1e-7, others to 3e-7 of
 * the greater key. Never fails. */
void clip_sample(const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose);
