// Files that are within a tolerance once they have been read back.
#include <math.h>
#include <stddef.h>

#include "interface/optimise.h"

#define TRIES 4          // at what a file of floats makes of a bound
#define TIGHTER 0.8      // the share of it that each next try has
#define ERROR_ROOM 1.001 // of the tolerance: roundings of measuring

static double greatest(const struct optimise_job *job, const struct optimise_clip *clips) {
	double error = 0;
	for (int i = 0; i < job->rig->clip_count; i++) {
		error = fmax(error, clips[i].max_m);
	}
	return error;
}

/* Makes the file once and measures what was made. */
static bool attempt(const struct optimise_job *job, optimise_reader *read,
	struct optimise_clip *clips, struct buffer *file, struct error *err) {
	file->size = 0;
	if (!renderer_optimise(job, clips, file, err)) {
		return false;
	}
	struct rig *made = read(file, err);
	const bool done = made && renderer_optimise_measure(job, made, clips, err);
	rig_release(made);
	return done;
}

static bool run(struct optimise_job *job, optimise_reader *read, struct optimise_clip *clips,
	struct buffer *file, struct error *err) {
	job->share = 1;
	for (int i = 0; i <= TRIES; i++, job->share *= TIGHTER) {
		if (!attempt(job, read, clips, file, err)) {
			return false;
		}
		if (greatest(job, clips) <= ERROR_ROOM * job->tolerance_m) {
			return true;
		}
		for (int k = 0; i == TRIES - 1 && k < job->rig->clip_count; k++) {
			job->left[k] |= !(clips[k].max_m <= ERROR_ROOM * job->tolerance_m);
		}
	}
	return error_set(err, ERROR_INVALID_VALUE,
		"it cannot be kept within %g m: what was made is off by %g m; a tolerance of %.4g "
		"m can be kept",
		job->tolerance_m, greatest(job, clips), 1.01 * greatest(job, clips));
}

bool renderer_optimise_within(struct optimise_job *job, optimise_reader *read,
	struct optimise_clip *clips, struct buffer *out, struct error *err) {
	struct buffer file = {0};
	const bool done = run(job, read, clips, &file, err);
	if (done) {
		buffer_append(out, file.data, file.size);
	}
	buffer_finish(&file);
	return done;
}
