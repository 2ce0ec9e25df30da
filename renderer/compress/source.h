/* A clip as compression sees it: sampled, beside the exact world matrices that the result is
 * measured against. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/stop.h"
#include "model/rig.h"

/* Moments that are measured for each sample: itself, and quarters of the way to the next. */
#define SOURCE_MOMENTS 4

enum { SOURCE_ROTATION, SOURCE_TRANSLATION, SOURCE_SCALE, SOURCE_KINDS };

/* Local transform in double precision, rotations with signs that go on from sample to sample. */
struct source_transform {
	double rotation[4], translation[3], scale[3];
};

struct source {
	const struct rig *rig;
	const struct clip *clip;
	const struct stop *stop; // of the job, asked by all loops over samples; NULL = never
	int joint_count, weight_count;
	int sample_count;
	double duration_s;
	/* Even samples: sample i is at i / rate, the last one at duration_s. Else it is at ticks[i]
	 * / rate. */
	double rate;
	const uint32_t *ticks;                // [sample_count] ascending; NULL = they are even
	const double *times_s;                // [sample_count]
	const struct source_transform *local; // [sample_count][joint_count]
	const double *weights;                // [sample_count][weight_count]
	const bool *holds;                    // [joint_count][SOURCE_KINDS] keep a key to the next
	const bool *weight_holds;             // [weight_count]
	const double (*world)[12];            // [moment_count][joint_count] rows of 3x4 matrices
	const double *moment_weights;         // [moment_count][weight_count]
	int moment_count;                     // SOURCE_MOMENTS * (sample_count - 1) + 1
};

/* Seconds of a sample, and of a moment. A sample that a key is next to, but for roundings, is at
 * the key. */
double source_sample_s(const struct source *source, int sample);
double source_moment_s(const struct source *source, int moment);

/* A clip that is to be sampled. */
struct source_job {
	const struct rig *rig;
	const struct clip *clip;
	const struct stop *stop;
};

/* Samples a clip evenly, in the arena. rate: samples a second.
 * ERROR_TOO_LARGE where there are more samples than the limits below, or no memory; or the stop's
 * error. */
bool source_make(const struct source_job *job, double rate, struct arena *arena,
	struct source *source, struct error *err);

/* Samples a clip at all times at which any of its channels has a key, likewise; and with parts > 1
 * that many times less one between each two. */
bool source_make_at_keys(const struct source_job *job, struct arena *arena, struct source *source,
	struct error *err);
bool source_make_between_keys(const struct source_job *job, int parts, struct arena *arena,
	struct source *source, struct error *err);

/* True when the job is to stop: loops that cannot fail end early, and their callers find out with
 * stop_check(). */
static inline bool source_is_stopped(const struct source *source) {
	return source->stop && !stop_check(source->stop, NULL);
}

/* Limits of samples, and of these times joints, of which each takes half a kilobyte. */
#define SOURCE_SAMPLES_MAX 100000
#define SOURCE_JOINTS_MAX (1 << 21)

/* The rate that most keys of a clip have: the usual one (24, 25, 30, 60, 120) that is within 3 % of
 * the median distance of keys, else that itself, up to 240; 30 where keys are rarer than ten a
 * second. */
double source_rate(const struct clip *clip);
