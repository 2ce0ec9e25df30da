/* Clips sampled in other ways than their files say. */
#pragma once

#include "pose/pose.h"
#include "pose/sample/spline.h"

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
