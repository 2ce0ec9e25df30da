/* Clips with as few keys as a bound at the shell allows, as plain glTF. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/stop.h"
#include "interface/optimise.h"
#include "model/rig.h"

struct reduce_job {
	const struct rig *rig;
	const int *clips; // [count] positions
	int count;
	double tolerance_m, shell_m; // > 0
	double rate;                 // of moments that keys are chosen among; 0 = the clips' own
	const struct stop *stop;
	const struct clip_progress *progress; // NULL = nobody is told
	const char *generator;
	size_t max_bytes; // that the file may have, also before
};

/* Appends a GLB as export_clips() makes it, but with few keys, and measures what reading it gives.
 *
 * found  [job->count], the caller's; of a clip without channels, which is none in glTF, all 0
 * Fails like export_clips() and renderer_optimise_within(). */
bool reduce_clips(const struct reduce_job *job, struct arena *arena, struct optimise_clip *found,
	struct buffer *out, struct error *err);
