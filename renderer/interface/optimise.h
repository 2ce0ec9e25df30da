/* GLBs whose clips have as few keys as a bound on their error allows; all else stays as it is. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/clip_progress.h"
#include "base/error.h"
#include "base/stop.h"
#include "model/rig.h"

struct optimise_job {
	const struct rig *rig; // of the same bytes, as renderer_import() reads them
	const void *bytes;     // a GLB, borrowed
	size_t size;
	double tolerance_m; // > 0, for each joint's origin and points about it, at every moment
	double share;       // of the tolerance that may be taken, in (0, 1]; 0 = all
	double shell_m;     // distance of the points; 0 = 3 cm for a figure of a human's size
	double rate;        // of moments that keys are chosen among; 0 = the clips' own keys
	bool meshopt;       // EXT_meshopt_compression of what the clips have
	const struct stop *stop;              // NULL = never
	const struct clip_progress *progress; // NULL = nobody is told
	/* [rig->clip_count] the caller's: clips that stay as they are. Those that cannot be kept
	 * within the tolerance are added. */
	bool *left;
};

/* One clip's result. */
struct optimise_clip {
	bool is_left; // as it is: it drives properties by pointers, or few keys cannot do
	int channels_before, channels_after;
	uint64_t json_before, data_before; // bytes of JSON, and of keys
	uint64_t json_after, data_after;
	/* By renderer_optimise_measure(): moments at which the clip had keys, the keys of all its
	 * channels now, and the error. */
	int samples, keys;
	double max_m, p99_m, rms_m;
	double max_at_samples_m;
	int joint; // of the greatest error, and when
	double time_s;
};

/* The tolerance for a rig of which none is given: 0.1 mm for a figure of 1.8 m. */
double renderer_optimise_tolerance(const struct rig *rig);

/* The diagonal of the rig's box at rest, for tolerances as shares of it. */
double renderer_optimise_diagonal(const struct rig *rig);

/* Appends the file with fewer keys: animations, their accessors, and buffer views that only they
 * use are replaced; all else stays byte for byte, but for positions of bytes in the buffer.
 *
 * clips  [rig->clip_count], the caller's; filled but for what measuring finds
 * Fails with ERROR_UNSUPPORTED_ASSET for what is no GLB, ERROR_TOO_LARGE, and the stop's error. Any
 * thread. */
bool renderer_optimise(const struct optimise_job *job, struct optimise_clip *clips,
	struct buffer *out, struct error *err);

/* Measures the clips of a file against those that they were made of, where both have keys and at
 * quarters of the way between.
 *
 * made   the rig of what renderer_optimise() made: joints correspond by their index; weights that
 * it does not have are at rest clips  [job->rig->clip_count], whose errors are filled in Fails with
 * ERROR_INTERNAL where the rigs do not correspond, with ERROR_TOO_LARGE, and the stop's error. */
bool renderer_optimise_measure(const struct optimise_job *job, const struct rig *made,
	struct optimise_clip *clips, struct error *err);

/* Reads a file as any other program would. NULL with *err. */
typedef struct rig *optimise_reader(const struct buffer *file, struct error *err);

/* Appends the file with fewer keys, whose clips are within the tolerance as they are measured once
 * it has been read back: where roundings exceed it, with a smaller share of it, and at last with
 * clips left as they are.
 *
 * job    share is chosen; left says in the end which clips are left
 * clips  [job->rig->clip_count], the caller's; filled
 * Fails like renderer_optimise() and renderer_optimise_measure(), and with ERROR_INVALID_VALUE for
 * a tolerance that cannot be kept, saying what could be. Any thread. */
bool renderer_optimise_within(struct optimise_job *job, optimise_reader *read,
	struct optimise_clip *clips, struct buffer *out, struct error *err);
