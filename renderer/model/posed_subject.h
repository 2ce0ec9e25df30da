/* A rig in a pose, to be skinned one way: the part that all jobs of the renderer have in common. */
#pragma once

#include "base/settings.h"
#include "base/stop.h"
#include "base/value.h"
#include "model/examples.h"
#include "model/pose_sources.h"
#include "model/rig.h"

/* Zero is the default of every member but the rig. All pointers are borrowed from the caller, and
 * stay valid as long as the job. A job ignores the members that mean nothing to it, as its own
 * comment says. */
struct posed_subject {
	const struct rig *rig;
	const struct value *pose;           // expression; NULL = rest
	double clock_s;                     // seconds since the moment that the pose names
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	struct skinning_settings skinning;
	const struct examples *examples; // of the rig; NULL = none
	const struct stop *stop;         // checked between steps; NULL = never stops
};

/* A clip to bake: the subject over a length of time, which is not skinned. */
struct bake_job {
	struct posed_subject subject; // clock_s, skinning and examples are ignored
	double duration_s; // >= 0; or less: as long as the longest clip that the pose samples
	double rate;       // frames per second; > 0
	/* [time_count] the frames, from 0 on and ascending, in place of duration and rate; NULL =
	 * these tell. */
	const float *times;
	size_t time_count;
	size_t max_frames;
	const struct value *source; // source of the duration, for errors; NULL = none
};
