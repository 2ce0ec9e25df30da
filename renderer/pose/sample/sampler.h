/* Clips sampled in other ways than their files say. */
#pragma once

#include "pose/pose.h"
#include "pose/sample/interpolate.h"

/* Keys that a rate may make of one clip, so that their numbers are ints; they take no memory. */
#define SAMPLER_KEYS_MAX 1e9

struct sampler {
	struct spline spline;
	/* Keys per second, taken from what the file's own interpolation gives at k / rate_hz and at
	 * the clip's end, at most SAMPLER_KEYS_MAX; 0 = the file's own keys. */
	double rate_hz;
};

/* Fills a pose with what the clip has at time_s, on its own key axis, with this way between keys in
 * the place of the file's. Before the first key its value holds, after the last that one's, and a
 * key that is hit gives its value; tangents in the file do not count.
 *
 * False where a number leaves float32; *joint is whose. METHODS C.1. */
bool sampler_pose(const struct sampler *sampler, const struct rig *rig, const struct clip *clip,
	double time_s, struct pose *out, int *joint);

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
